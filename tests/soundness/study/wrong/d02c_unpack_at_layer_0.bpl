// expect: refused
datatype Opt { NoV(), SomeV(v: int) }
yield procedure {:layer 1} P()
{
  var {:layer 0} v: int;
  SomeV(v) := NoV();
}
