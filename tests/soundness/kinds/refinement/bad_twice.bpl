// The step happens twice.
// verdict: errors

var {:layer 0,2} x: int;

yield invariant {:layer 1} Yield();
preserves true;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Add(1);
  call Yield();
  call Add(1); //~ error[refinement]
}
