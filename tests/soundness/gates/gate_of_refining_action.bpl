// The declared gate of A must follow from the gate of B. Run: x = 5: P's assertion fails, Q above sees no gate.
// verdict: errors
var {:layer 0,4} x: int;
var {:layer 0,3} y: int;
yield procedure {:layer 0} Chk(); refines atomic action {:layer 1} _ { assert x == 0; y := 1; }
yield procedure {:layer 1} P() refines A; { call Chk(); }
atomic action {:layer 2} A() refines B; asserts x == 0; asserts y < 5; { y := 1; } //~ error[action-refinement]
atomic action {:layer 3} B() asserts y < 5; { y := 1; }
yield invariant {:layer 3} Small(); preserves y < 5;
yield procedure {:layer 3} Q() requires call Small(); { call P(); }
