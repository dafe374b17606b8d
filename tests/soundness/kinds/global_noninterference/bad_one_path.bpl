// One path of the action breaks it.
// verdict: errors

var {:layer 0,1} x: int;
var {:layer 0,1} y: int;

invariant {:layer 1} Equal();
preserves x == y; //~ error[noninterference] "STEP"

atomic action {:layer 1} STEP()
{
  x := x + 1;
  if (0 < x) {
    y := y + 1;
  }
}
