// A global invariant of a layer at which the procedure without body is code.
// Run: x = 1; Dec makes it 0.
// verdict: errors
var {:layer 0,3} x: int;
yield procedure {:layer 1} Dec();
refines atomic action {:layer 2} _ { x := x - 1; }
invariant {:layer 1} Positive(); preserves 0 < x; //~ error[noninterference]
yield procedure {:layer 1} R()
requires call Positive();
{
  call Positive();
  assert {:layer 1} 0 < x;
}
