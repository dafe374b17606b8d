// The contract of a mover procedure promises too much.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Add();
refines left action {:layer 1} _ { x := x + 1; }

yield left procedure {:layer 1} AddTwice()
ensures {:layer 1} x == old(x) + 2;
{
  call Add();
} //~ error[postcondition]
