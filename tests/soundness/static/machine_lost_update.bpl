// verdict: errors
// VERIFIED by civl (--strict, nothing on faith), but WRONG: at layer 0 "ghost" calls are the machine itself (x exists at layer 0, there is no layer
// below): Inc is the classic lost update, Twice reads x at two moments. calls.rs check_pure_callee accepts layer 0; labels.rs calls it Private.
var {:layer 0,2} x: int;
yield procedure {:layer 0} Inc()
refines atomic action {:layer 1} _ { x := x + 1; }
{
  var a: int;
  call {:layer 0} a := Copy(x);
  call {:layer 0} x := Copy(a + 1);
}
yield procedure {:layer 0} Twice() returns (a: int, b: int)
refines atomic action {:layer 1} _ { a := x; b := x; }
{
  call {:layer 0} a := Copy(x);
  call {:layer 0} b := Copy(x);
}
yield procedure {:layer 1} P()
{
  var a, b: int;
  call a, b := Twice();
  assert {:layer 1} a == b;
}
yield procedure {:layer 1} Q()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Inc();
}
