// A procedure without body moves as its declaration says: nobody proves it.
// expect: faith
var {:layer 0,1} x: int;

yield left procedure {:layer 1} Jump(n: int);
modifies x;

yield procedure {:layer 1} P()
{
  call Jump(1);
}
