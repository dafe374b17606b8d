// Moving the increment before the use hides that the use came too early.
// verdict: errors

var {:layer 0,1} x: int;

left action {:layer 1} INCREMENT() { x := x + 1; }
atomic action {:layer 1} USE() { assert 5 <= x; } //~ error[failure-preservation] "INCREMENT"
