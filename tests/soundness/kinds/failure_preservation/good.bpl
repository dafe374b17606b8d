// A left mover never repairs the gate of an action that it moves across.
// verdict: verified

var {:layer 0,1} x: int;
var {:layer 0,1} ready: [int]bool;

left action {:layer 1} SHRINK() { x := x - 1; }
atomic action {:layer 1} USE() { assert 5 <= x; }
left action {:layer 1} CLEAR(i: int) { ready[i] := false; }
atomic action {:layer 1} NEED(i: int) { assert ready[i]; }
