// A call at a range of layers is checked at the highest of them, though nothing else is there.
// verdict: errors

var {:layer 0,5} x: int;

pure action Nested(i: int) { call Check(i); }
pure action Check(i: int) { assert i > 0; }

yield procedure {:layer 4} P(i: int)
{
  call {:layer 1,2} Nested(i); //~ error[gate]
}
