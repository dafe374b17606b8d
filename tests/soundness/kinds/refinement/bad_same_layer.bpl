// The step of a callee at the same layer is a step of the caller.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Q(); //~ error[refinement]
} //~ error[refinement]

yield procedure {:layer 1} Q()
refines atomic action {:layer 2} _ { x := x + 2; }
{
  call Add(2);
}
