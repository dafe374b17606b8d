// A left mover hides the failure of another action.
var {:layer 0,1} x: int;

left action {:layer 1} INCREMENT() { x := x + 1; }

atomic action {:layer 1} USE() { assert 0 < x; }
