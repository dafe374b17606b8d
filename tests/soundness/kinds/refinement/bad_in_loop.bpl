// The step lies in a loop and may happen any number of times.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  while (*)
  invariant {:yields} true;
  {
    call Add(1); //~ error[refinement]
  }
} //~ error[refinement]
