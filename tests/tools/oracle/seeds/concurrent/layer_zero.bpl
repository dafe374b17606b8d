// Code at layer 0 over ghost copies, and the machine beside it.
// favour: shared_argument, insert_ghost
var {:layer 0,2} x: int;
yield procedure {:layer 0} Swap(v: int) returns (r: int);
refines atomic action {:layer 1,2} _ { r := x; x := v; }
yield procedure {:layer 0} Twice(v: int) returns (r: int, s: int)
refines both action {:layer 1,2} _ { r := v; s := v; }
{
  call {:layer 0} r := Copy(v);
  call {:layer 0} s := Copy(v);
}
yield invariant {:layer 2} Any();
preserves true;
yield procedure {:layer 1} User(v: int) returns (r: int)
refines atomic action {:layer 2} _ { r := x; x := v; }
{
  var k, l: int;
  call k, l := Twice(v);
  call r := Swap(k);
}
