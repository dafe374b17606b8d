// The step before the return breaks it.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Decrement();
refines atomic action {:layer 1} _ { x := x - 1; }

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 1} P()
{
  call Reached(x);
  call Decrement(); //~ error[noninterference] "P"
}
