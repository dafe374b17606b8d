// expect: verified
// The value is known to be built by `Some`; a type of one constructor demands nothing.
yield procedure {:layer 3} P(o: Option int)
requires {:layer 2} o is Some;
{
  var {:layer 2} y, a, b: int;
  Some(y) := o;
  Pair(a, b) := Pair(1, 2);
  assert {:layer 2} a == 1;
}
datatype Pair { Pair(a: int, b: int) }
