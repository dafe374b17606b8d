// The clause covers one branch only.
// verdict: errors

var {:layer 0,1} x: int;

atomic action {:layer 1} STEP(up: bool)
asserts up ==> 0 <= x;
{
  if (up) {
    x := x + 1;
  } else {
    x := x - 1;
  }
  assert 0 <= x; //~ error[gate-sufficiency]
}
