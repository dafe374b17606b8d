// An increment cannot be moved before a read.
// verdict: errors

var {:layer 0,1} x: int;

left action {:layer 1} INCREMENT() { x := x + 1; }
atomic action {:layer 1} READ() returns (v: int) { v := x; } //~ error[commutativity] "INCREMENT"
