// The lower action changes what the upper one leaves alone.

var {:layer 0,2} x: int;
var {:layer 0,2} y: int;

atomic action {:layer 2} BUMP(by: int)
asserts 0 < by;
{
  x := x + by;
}

atomic action {:layer 1} BUMP_LOW(by: int)
refines BUMP;
{
  x := x + by;
  y := x;
}
