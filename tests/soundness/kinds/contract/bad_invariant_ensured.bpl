// The yield invariant promised does not hold at the end.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _ { x := x + 1; }

yield procedure {:layer 1} P()
requires call Reached(0);
ensures call Reached(2);
{
  call Increment();
} //~ error[postcondition]
