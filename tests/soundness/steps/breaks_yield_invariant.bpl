// A procedure without body changes what a thread relies on that waits at a layer at which it is code.
// Run: R waits at Even with x = 0; Inc makes x 1.
// verdict: errors
var {:layer 0,2} x: int;
yield procedure {:layer 1} Inc();
refines atomic action {:layer 2} _ { x := x + 1; }
yield invariant {:layer 1} Even(); preserves x mod 2 == 0; //~ error[noninterference]
yield procedure {:layer 1} R()
requires call Even();
{
  call Even();
  assert {:layer 1} x mod 2 == 0;
}
