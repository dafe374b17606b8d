// An action without a body says nothing about what it does.
// verdict: errors

var {:layer 0,1} x: int;

atomic action {:layer 1} A(); //~ error[action-without-body] "A"

yield procedure {:layer 0} P();
refines A;
