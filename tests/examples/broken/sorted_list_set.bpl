// A sorted linked list whose readers start at a number that need not be there.

const End: int;                       // numbers in the list are below this one
axiom 0 < End;

var {:layer 0,1} next: [int]int;      // the list starts at 0, which is always there
var {:layer 1,2} set: [int]bool;

yield invariant {:layer 1} Sorted();
preserves set[0];
preserves (forall k: int :: {next[k]} set[k] ==> k < next[k] && (next[k] == End || set[next[k]]));
preserves (forall k: int, between: int :: {next[k], set[between]} set[k] && k < between && between < next[k] ==> !set[between]);

// Nothing is taken out.
yield invariant {:layer 1} Present(k: int);
preserves set[k];

yield procedure {:layer 1} Contains(k: int) returns (found: bool)
refines atomic action {:layer 2} _
{
  found := set[k];
}
requires {:layer 1} 0 < k && k < End;
preserves call Sorted();
{
  var before, behind: int;

  before := 1;    // should be 0
  while (true)
  invariant {:yields} true;
  invariant call Sorted();
  invariant call Present(before); //~ error[loop-invariant] "entered"
  invariant {:layer 1} before < k; //~ error[loop-invariant] "entered"
  {
    call behind := Next(before);
    if (k <= behind) {
      break;
    }
    before := behind;
  }
  found := behind == k;
}

yield procedure {:layer 1} Insert(k: int) returns (added: bool)
refines atomic action {:layer 2} _
{
  added := !set[k];
  set := Set_Add(set, k);
}
requires {:layer 1} 0 < k && k < End;
preserves call Sorted();
{
  var before, behind: int;

  before := 0;
  while (true)
  invariant {:yields} true;
  invariant call Sorted();
  invariant call Present(before);
  invariant {:layer 1} before < k;
  {
    call behind := Next(before);
    if (behind < k) {
      before := behind;
    } else if (behind == k) {
      added := false;
      break;
    } else {
      call Sorted() | Present(before);
      call added := Link(before, k, behind);
      if (added) {
        call {:layer 1} set := Copy(Set_Add(set, k));
        break;
      }
    }
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Next(k: int) returns (behind: int);
refines atomic action {:layer 1} _
{
  behind := next[k];
}

// Puts `k` between two neighbours, if they still are.
yield procedure {:layer 0} Link(before: int, k: int, behind: int) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := next[before] == behind;
  if (done) {
    next[k] := behind;
    next[before] := k;
  }
}
