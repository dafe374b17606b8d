// On one path nothing happens.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} P(go: bool)
refines atomic action {:layer 2} _ { x := x + 1; }
{
  if (go) {
    call Add(1);
  }
} //~ error[refinement]
