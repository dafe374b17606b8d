// The clause allows one too many.
// verdict: errors

var {:layer 0,1} x: int;

atomic action {:layer 1} SPEND(k: int)
asserts 0 < k;
asserts k <= x + 1;
{
  x := x - k;
  assert 0 <= x; //~ error[gate-sufficiency]
}
