// expect: faith
// A right mover without body: nobody shows that it moves.
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield right procedure {:layer 1} ReadX() returns (r: int);
ensures {:layer 1} r == x;
yield procedure {:layer 1} Inc()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  var a: int;
  call a := ReadX();
  call Set(a + 1);
}
