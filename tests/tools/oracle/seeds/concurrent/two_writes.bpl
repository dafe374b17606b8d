// Two variables that move together; a machine reads both.
// favour: leaf
var {:layer 0,2} x: int;
var {:layer 0,2} y: int;
yield procedure {:layer 0} MarkX(v: int);
refines both action {:layer 1} _ { assert v == 7; x := v; }
yield procedure {:layer 0} MarkY(v: int);
refines both action {:layer 1} _ { assert v == 7; y := v; }
yield procedure {:layer 1} Pair() returns (a: int, b: int);
refines atomic action {:layer 2} _ { a := 1; b := a; }
yield procedure {:layer 1} Mark()
refines atomic action {:layer 2} _ { x := 7; y := 7; }
{
  call MarkX(7);
  call MarkY(7);
}
yield invariant {:layer 2} Eq(); preserves x == y;
yield procedure {:layer 2} Marks()
{
  call Mark();
}
yield procedure {:layer 2} Look()
requires call Eq();
{
  var a, b: int;
  call a, b := Pair();
  assert {:layer 2} a == b;
}
