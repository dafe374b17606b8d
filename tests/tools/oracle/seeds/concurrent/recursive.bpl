// Procedures of one layer that call themselves, side by side.
// favour: to_arms, leaf, delete
var {:layer 0,1} x: int;
yield invariant {:layer 1} AtLeast(n: int);
preserves n <= x;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 1} Climb(n: int, k: int)
preserves call AtLeast(n);
{
  if (k > 0) {
    call Inc();
    call Climb(n, k - 1) | AtLeast(n);
    assert {:layer 1} n <= x;
  }
}
yield procedure {:layer 1} Main(n: int)
requires call AtLeast(n);
{
  call Climb(n, 1) | Climb(n, 0);
  assert {:layer 1} n <= x;
}
