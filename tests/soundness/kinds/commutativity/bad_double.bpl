// Doubling and adding do not commute.
// verdict: errors

var {:layer 0,1} x: int;

right action {:layer 1} DOUBLE() { x := 2 * x; } //~ error[commutativity] "INCREMENT"
atomic action {:layer 1} INCREMENT() { x := x + 1; }
