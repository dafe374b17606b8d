// The assertion of a called action is not covered.
// verdict: errors

var {:layer 0,1} x: int;

atomic action {:layer 1} NEED_POSITIVE()
{
  assert 0 < x;
}

atomic action {:layer 1} SPEND(k: int)
asserts 0 <= x;
{
  call NEED_POSITIVE(); //~ error[gate-sufficiency]
  x := x - 1;
}
