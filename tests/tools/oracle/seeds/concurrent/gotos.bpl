// Loops made of labels; the result is set once.
// favour: insert_assign, goto_more
var {:layer 0,2} x: int;
yield procedure {:layer 0} Get() returns (r: int);
refines atomic action {:layer 1} _ { r := x; }
yield procedure {:layer 0} Set(r: int);
refines atomic action {:layer 1} _ { x := r; }
yield procedure {:layer 1} Twice() returns (o: int)
refines atomic action {:layer 2} _ { o := x; }
{
  var k: int;
  k := 0;
  call o := Get();
A:
  assert {:yields} true;
  goto A, B;
B:
  assert {:yields} true;
  goto B1, C;
B1:
  k := 0;
  goto B;
C:
  return;
}
