// Moving the signal before the check hides that the check came too early.
// verdict: errors

var {:layer 0,1} ready: bool;

left action {:layer 1} SIGNAL() { ready := true; }
atomic action {:layer 1} CHECK() { assert ready; } //~ error[failure-preservation] "SIGNAL"
