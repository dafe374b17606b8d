// A growing counter with a stable lower bound.
var {:layer 0,2} x: int;
yield invariant {:layer 1} AtLeast(n: int);
preserves n <= x;
yield invariant {:layer 1} Same(a: int, b: int);
preserves a == b;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Once(v: int)
requires call AtLeast(v);
ensures call AtLeast(v);
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Inc();
}
yield procedure {:layer 1} Watch(n: int) returns (v: int)
requires call AtLeast(n);
ensures {:layer 1} n <= v;
{
  call v := Get();
  call AtLeast(v) | Same(n, n);
  assert {:layer 1} n <= v;
  call v := Get();
}
