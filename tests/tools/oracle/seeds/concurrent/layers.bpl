// Invariants and machines at several layers.
// favour: layer, leaf
var {:layer 0,2} x: int;
var {:layer 0,2} y: int;
yield invariant {:layer 1} Pos1(); preserves 0 <= x;
yield invariant {:layer 2} Pos2(); preserves 0 <= x;
yield procedure {:layer 0} IncX();
refines atomic action {:layer 1,2} _ { x := x + 1; }
yield procedure {:layer 0} IncY();
refines both action {:layer 1,2} _ { y := y + 1; }
yield procedure {:layer 0} Both() returns (a: int, b: int);
refines atomic action {:layer 1,2} _ { a := x; b := x; }
yield procedure {:layer 1} StepX()
preserves call Pos1();
refines atomic action {:layer 2} _ { x := x + 1; y := y + 1; }
{
  call IncX();
  call IncY();
}
yield procedure {:layer 2} Main()
preserves call Pos2();
requires call Pos1();
{
  call StepX() | Pos2();
  assert {:layer 2} 0 <= x;
  call Pos1() | Pos2();
  call StepX();
}
yield procedure {:layer 2} Reader()
requires call Pos2();
{
  var a, b: int;
  call a, b := Both();
  assert {:layer 2} a == b;
}
