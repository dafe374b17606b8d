// Nearest good neighbour of a3b: doing nothing commutes with everything, whatever the map is.
// verdict: verified

var {:layer 0,1} y: int;
right action {:layer 1} A(m: Map int int) modifies y; { if (!Map_WellFormed(m)) { y := y + 2; } }
atomic action {:layer 1} B() modifies y; { y := y + 1; }
