// For the tests with real editors: a static problem with a tried-out repair, and a proof that fails afterwards.
var {:layer 0,1} x: int;

atomic action {:layer 1} Bump()
modifies x;
{
  x := x + 1;
}

yield procedure {:layer 0} bump();
refines Bump;

yield invariant {:layer 1} Anything();
preserves true;

yield procedure {:layer 1} twice()
{
  call bump();
  call bump();
}

procedure P(i: int)
{
  assert i == 0;
}
