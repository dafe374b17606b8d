// The assertion of a called action is not covered.
// verdict: errors

var {:layer 0,1} x: int;

atomic action {:layer 1} NEED_POSITIVE()
{
  assert 0 < x; //~ error[gate-sufficiency]
}

atomic action {:layer 1} SPEND(k: int)
asserts 0 <= x;
{
  call NEED_POSITIVE();
  x := x - 1;
}
