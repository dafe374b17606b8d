// Prefix sums with a worker that forgets its own number.

const input: Vec int;

// The sum of the first `k` numbers.
function Sum(k: int): int;
axiom Sum(0) == 0;
axiom (forall k: int :: {Sum(k)} 0 <= k && k < Vec_Len(input) ==> Sum(k + 1) == Sum(k) + Vec_Nth(input, k));

var {:layer 0,1} sums: [int]int;
var {:layer 0,1} shown: [int]bool;

yield invariant {:layer 1} ShownSumsAreRight();
preserves (forall k: int :: {shown[k]} shown[k] ==> Vec_Contains(input, k) && sums[k] == Sum(k + 1));

yield procedure {:layer 1} Main() returns (all: Vec int)
preserves call ShownSumsAreRight();
ensures {:layer 1} Vec_Len(all) == Vec_Len(input);
ensures {:layer 1} (forall k: int :: Vec_Contains(all, k) ==> Vec_Nth(all, k) == Sum(k + 1));
{
  var k: int;

  k := 0;
  while (k < Vec_Len(input))
  invariant {:layer 1} 0 <= k;
  {
    async call Worker(k);
    k := k + 1;
  }
  call all := Collect();
}

yield procedure {:layer 1} Worker(k: int)
requires {:layer 1} Vec_Contains(input, k);
preserves call ShownSumsAreRight();
{
  var before: int;

  before := 0;
  if (0 < k) {
    call before := Await(k - 1);
    call ShownSumsAreRight();
  }
  call Show(k, before);    // should add the number //~ error[noninterference] "ShownSumsAreRight"
} //~ error[postcondition] "Worker"

yield procedure {:layer 1} Collect() returns (all: Vec int)
preserves call ShownSumsAreRight();
ensures {:layer 1} Vec_Len(all) == Vec_Len(input);
ensures {:layer 1} (forall k: int :: Vec_Contains(all, k) ==> Vec_Nth(all, k) == Sum(k + 1));
{
  var sum: int;

  all := Vec_Empty();
  while (Vec_Len(all) < Vec_Len(input))
  invariant {:yields} true;
  invariant call ShownSumsAreRight();
  invariant {:layer 1} Vec_Len(all) <= Vec_Len(input);
  invariant {:layer 1} (forall k: int :: Vec_Contains(all, k) ==> Vec_Nth(all, k) == Sum(k + 1));
  {
    call sum := Await(Vec_Len(all));
    all := Vec_Append(all, sum);
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Show(k: int, sum: int);
refines atomic action {:layer 1} _
{
  sums[k] := sum;
  shown[k] := true;
}

yield procedure {:layer 0} Await(k: int) returns (sum: int);
refines atomic action {:layer 1} _
{
  assume shown[k];
  sum := sums[k];
}
