// One path of the lower action is not covered.
// verdict: errors

var {:layer 0,2} x: int;

atomic action {:layer 2} UP() { x := x + 1; }

atomic action {:layer 1} UP_LOW() //~ error[action-refinement] "UP"
refines UP;
{
  if (*) {
    x := x + 1;
  }
}
