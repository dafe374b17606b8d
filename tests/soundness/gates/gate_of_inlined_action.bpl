// An action calls an action that calls one with a gate: the gate reaches the caller. Run: x = 0.
// verdict: errors
var {:layer 0,3} x: int;
pure action Div(a: int) returns (r: int) asserts a != 0; { r := 10 div a; }
pure action Twice(a: int) returns (r: int) { call r := Div(a); r := 2 * r; }
yield procedure {:layer 0} DivX() returns (r: int);
refines atomic action {:layer 1} _ { call r := Twice(x); }
yield procedure {:layer 1} P()
{
  var r: int;
  call r := DivX(); //~ error[gate]
}
