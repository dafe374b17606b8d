// The lower action returns something else.
// verdict: errors

var {:layer 0,2} x: int;

atomic action {:layer 2} READ() returns (r: int) { r := x; }

atomic action {:layer 1} READ_LOW() returns (r: int) //~ error[action-refinement] "READ"
refines READ;
{
  assume r <= x;
}
