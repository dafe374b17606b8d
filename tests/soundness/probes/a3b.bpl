// Section 14.3: an ordinary map need not be well-formed.
// Expected: commutativity failure of A with B.
// verdict: errors

var {:layer 0,1} y: int;
right action {:layer 1} A(m: Map int int) modifies y; { if (!Map_WellFormed(m)) { y := 2 * y; } } //~ error[commutativity] "B"
atomic action {:layer 1} B() modifies y; { y := y + 1; }
