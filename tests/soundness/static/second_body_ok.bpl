// verdict: verified
// CORRECT: declaration and one separate implementation.
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 1} P();
refines atomic action {:layer 2} _ { x := 1; }
implementation P() { call Set(1); }
