// verdict: errors
// VERIFIED by civl, but WRONG: second implementation of a yield procedure is ignored (copy.rs build: implementations(..).first()).
var {:layer 0,2} x: int;
yield procedure {:layer 1} P();
implementation P() { assert {:layer 1} true; }
implementation P() { assert {:layer 1} false; }
