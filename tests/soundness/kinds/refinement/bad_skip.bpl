// A procedure that promises nothing may not touch what is visible above.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} P()
{
  call Add(1); //~ error[refinement]
}
