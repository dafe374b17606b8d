// The step is not the one promised.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Add(2); //~ error[refinement]
}
