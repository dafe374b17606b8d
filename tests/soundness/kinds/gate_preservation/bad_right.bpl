// A right mover destroys what the next action relies on.
// verdict: errors

var {:layer 0,1} x: int;

right action {:layer 1} SHRINK() { x := x - 1; }
atomic action {:layer 1} USE() { assert 0 < x; } //~ error[gate-preservation] "SHRINK"
