// expect: verified
// CORRECT: at layer 2 neither the value nor its parts exist, so nothing is taken apart there.
datatype D { C(a: int), E() }
var {:layer 0,3} x: int;
pure procedure MakeC(i: int) returns (d: D) ensures d == C(i); { d := C(i); }
yield procedure {:layer 2} P()
{
  var {:layer 1} v: D; var {:layer 1} a: int;
  call {:layer 1} v := MakeC(3);
  C(a) := v;
  assert {:layer 1} a == 3;
}
