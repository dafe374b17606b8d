// The gate of a left mover does not survive the action it should move across.
// verdict: errors

var {:layer 0,1} x: int;
var {:layer 0,1} y: int;

left action {:layer 1} COUNT() { assert 0 < x; y := y + 1; } //~ error[gate-preservation] "DRAIN"
atomic action {:layer 1} DRAIN() { x := 0; }
