// Two orders with different ends.
var {:layer 0,1} x: int;

left action {:layer 1} INCREMENT() { x := x + 1; }

atomic action {:layer 1} RESET() { x := 0; }
