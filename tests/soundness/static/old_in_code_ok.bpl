// Specifications and ghost code of one layer may speak of the state at the call.
// verdict: verified

var {:layer 0,2} x: int;

yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }

yield invariant {:layer 1} AtLeast(v: int);
preserves v <= x;

yield atomic procedure {:layer 1} Twice()
ensures {:layer 1} x == old(x) + 1;
{
  var {:layer 1} before: int;
  before := old(x);
  call Inc();
  assert {:layer 1} x == before + 1;
}

yield procedure {:layer 1} P(n: int)
requires call AtLeast(x);
ensures call AtLeast(old(x));
{
  var {:layer 1} before: int;
  before := old(x);
  call AtLeast(before);
  while (*)
  invariant {:yields} true;
  invariant {:layer 1} before == old(x);
  invariant call AtLeast(old(x));
  {
  }
}
