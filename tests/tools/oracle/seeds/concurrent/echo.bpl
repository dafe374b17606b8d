// A procedure that hands back what it got, and one that asks it.
// favour: old_in_code
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Echo(a: int) returns (r: int)
{
  r := a;
  if (r == 7) { r := 7; }
}
yield procedure {:layer 1} Ask()
{
  var r, s: int;
  call r := Get();
  call s := Echo(r);
}
yield procedure {:layer 1} Put(v: int)
{
  call Set(v);
}
