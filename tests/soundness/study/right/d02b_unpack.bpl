// expect: verified
// right: the value is built by that constructor
datatype Opt { NoV(), SomeV(v: int) }
pure action Get(x: Opt) returns (r: int) { SomeV(r) := x; }
yield procedure {:layer 1} P()
{
  var {:layer 0} v: int;
  call {:layer 0} v := Get(SomeV(3));
}
