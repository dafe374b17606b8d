// Loops that yield, with local and shared facts.
var {:layer 0,2} x: int;
yield invariant {:layer 1} Same(a: int, b: int);
preserves a == b;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Spin(v: int) returns (r: int)
refines atomic action {:layer 2} _ { x := v; }
{
  var i: int;
  i := 0;
  call r := Get();
  while (i < 2)
  invariant {:yields} true;
  invariant {:layer 1} 0 <= i;
  invariant call Same(v, v);
  {
    call r := Get();
    i := i + 1;
  }
  call Set(v);
}
yield procedure {:layer 1} Other(v: int)
{
  var r: int;
  while (*)
  invariant {:yields} true;
  {
    call r := Get();
    assert {:layer 1} r == r;
  }
}
