// The yield invariant of the callee does not hold where it is called.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _ { x := x + 1; }

yield procedure {:layer 1} Callee(n: int)
requires call Reached(n);
{
}

yield procedure {:layer 1} P()
requires call Reached(0);
{
  call Increment();
  call Callee(2); //~ error[precondition]
}
