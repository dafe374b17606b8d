// Actions that call actions.
// favour: leaf, outline_action
var {:layer 0,3} x: int;
pure action Half(a: int) returns (r: int)
{ r := a div 2; }
pure action Inverse(a: int) returns (r: int)
asserts a != 0;
{ r := 10 div a; }
action {:layer 1,2} Set_(v: int)
{ x := v; }
yield procedure {:layer 0} Halve() returns (r: int);
refines atomic action {:layer 1} _ { call r := Half(x); call Set_(r); }
yield procedure {:layer 0} Ten() returns (r: int);
refines atomic action {:layer 1} _ { call r := Inverse(2); }
yield procedure {:layer 1} User()
{
  var r: int;
  call r := Ten();
  assert {:layer 1} r == r;
}
