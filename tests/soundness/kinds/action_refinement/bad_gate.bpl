// The lower action fails where the upper one does not.
// verdict: errors

var {:layer 0,2} x: int;

atomic action {:layer 2} UP() { x := x + 1; }

atomic action {:layer 1} UP_LOW()
refines UP;
{
  assert 0 <= x; //~ error[assertion]
  x := x + 1;
}
