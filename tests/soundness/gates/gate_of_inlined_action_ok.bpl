// The gate is established inside.
// verdict: verified
var {:layer 0,3} x: int;
pure action Div(a: int) returns (r: int) asserts a != 0; { r := 10 div a; }
yield procedure {:layer 0} DivX() returns (r: int);
refines atomic action {:layer 1} _ { if (x != 0) { call r := Div(x); } else { r := 0; } }
yield procedure {:layer 1} P()
{
  var r: int;
  call r := DivX();
}
