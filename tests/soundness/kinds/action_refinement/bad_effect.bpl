// The lower action does something else.
// verdict: errors

var {:layer 0,2} x: int;

atomic action {:layer 2} UP() { x := x + 1; }

atomic action {:layer 1} UP_LOW() //~ error[action-refinement] "UP"
refines UP;
{
  x := x + 2;
}
