// A reader without body at layer 1 runs between the two writes, which claim to be both movers.
// Run: x = y = 0; P sets x; R reads (77, 0).
// verdict: errors
var {:layer 0,3} x: int;
var {:layer 0,3} y: int;
yield procedure {:layer 0} SetX(); refines right action {:layer 1} _ { x := 77; }
yield procedure {:layer 0} SetY(); refines atomic action {:layer 1} _ { y := 77; }
yield procedure {:layer 1} ReadBoth() returns (a: int, b: int);
refines atomic action {:layer 2,3} _ { a := x; b := y; }
yield procedure {:layer 1} P() refines atomic action {:layer 2,3} _ { x := 77; y := 77; }
{
  call SetX();
  call SetY();
}
