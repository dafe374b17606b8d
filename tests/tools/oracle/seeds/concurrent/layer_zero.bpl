// Code at layer 0, and the machine below it.
var {:layer 0,2} x: int;
yield procedure {:layer 0} Swap(v: int) returns (r: int);
refines atomic action {:layer 1,2} _ { r := x; x := v; }
yield procedure {:layer 0} Nothing(v: int) returns (r: int)
refines both action {:layer 1,2} _ { r := v; }
{
  var {:layer 0} w: int;
  call {:layer 0} w := Copy(v);
  r := v;
}
yield invariant {:layer 2} Any();
preserves true;
yield procedure {:layer 1} User(v: int) returns (r: int)
refines atomic action {:layer 2} _ { r := x; x := v; }
{
  var k: int;
  call k := Nothing(v);
  call r := Swap(k);
}
yield procedure {:layer 2} Top(v: int)
{
  var r: int;
  call r := User(v);
  call Any();
  call r := User(r);
  call {:layer 1} Assert(true);
}
