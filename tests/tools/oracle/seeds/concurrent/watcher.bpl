// Somebody relies on a bound, somebody counts.
// favour: layer, operator
var {:layer 0,2} x: int;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield invariant {:layer 1} Low();
preserves 0 <= x;
yield procedure {:layer 1} Watch()
requires call Low();
{
  call Low();
  assert {:layer 1} 0 <= x;
}
yield procedure {:layer 1} Count()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Inc();
}
