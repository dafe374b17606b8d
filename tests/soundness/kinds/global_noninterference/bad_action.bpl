// An action breaks it.
// verdict: errors

var {:layer 0,1} x: int;

invariant {:layer 1} Even();
preserves x mod 2 == 0; //~ error[noninterference] "INCREMENT"

atomic action {:layer 1} INCREMENT() { x := x + 1; }
