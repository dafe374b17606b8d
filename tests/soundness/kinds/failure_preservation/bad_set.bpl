// The same with one flag for each key.
// verdict: errors

var {:layer 0,1} ready: [int]bool;

left action {:layer 1} SIGNAL(i: int) { ready[i] := true; }
atomic action {:layer 1} CHECK(i: int) { assert ready[i]; } //~ error[failure-preservation] "SIGNAL"
