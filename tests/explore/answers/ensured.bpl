// explore: exit 2 "what a procedure without body ensures" not "confirmed"
//
// Nobody knows how a procedure without body does what it ensures.

var {:layer 0,1} x: int;

yield left procedure {:layer 1} Positive() returns (v: int);
ensures {:layer 1} v > 0;

yield procedure {:layer 1} Root()
{
  var v: int;

  call v := Positive();
  assert {:layer 1} v > 0;
}
