// An action may do nothing, but has to say so.
// verdict: verified

var {:layer 0,1} x: int;

atomic action {:layer 1} A() { }

yield procedure {:layer 0} P();
refines A;
