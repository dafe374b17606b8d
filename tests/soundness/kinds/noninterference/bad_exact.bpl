// The counter may move on.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _ { x := x + 1; }

yield invariant {:layer 1} Exactly(n: int);
preserves x == n;

yield procedure {:layer 1} P()
requires call Exactly(0);
{
  call Increment(); //~ error[noninterference] "P"
  call Exactly(1);
}
