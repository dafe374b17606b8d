// Two loops made of labels; the result is set once.
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
  assert {:layer 1} 0 <= k;
  goto A1, B;
A1:
  k := 1;
  goto A;
B:
  assert {:yields} true;
  goto B1, C;
B1:
  k := 0;
  goto B;
C:
  return;
}
yield procedure {:layer 1} Put(r: int)
{
  var i: int;
  i := 2;
D:
  assert {:yields} true;
  assert {:layer 1} i <= 2;
  goto E, F;
E:
  assume i > 0;
  i := i - 1;
  goto D;
F:
  return;
}
yield procedure {:layer 1} Write(r: int)
refines atomic action {:layer 2} _ { x := r; }
{
  call Set(r);
}
