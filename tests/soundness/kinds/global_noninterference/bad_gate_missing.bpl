// The action would keep it if its gate said what it relies on.
// verdict: errors

var {:layer 0,1} x: int;

invariant {:layer 1} Even();
preserves x mod 2 == 0; //~ error[noninterference] "ADD"

atomic action {:layer 1} ADD(k: int) { x := x + k; }
