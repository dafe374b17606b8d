// Clearing one element may clear the one that is needed.
// verdict: errors

var {:layer 0,1} ready: [int]bool;

right action {:layer 1} CLEAR(i: int) { ready[i] := false; }
atomic action {:layer 1} USE(i: int) { assert ready[i]; } //~ error[gate-preservation] "CLEAR"
