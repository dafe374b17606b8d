// Nothing says that there is enough to spend.
// verdict: errors

var {:layer 0,1} x: int;

atomic action {:layer 1} SPEND(k: int)
asserts 0 < k;
{
  x := x - k;
  assert 0 <= x; //~ error[gate-sufficiency]
}
