// verdict: errors
// VERIFIED by civl ("4 of 4 obligations": those of the other P, twice), low severity: the body of the {:extern} P gives way and is never
// asked, although it is counted. The reference asks both and rejects ("this assertion could not be proved"). Plain procedures are asked.
var {:layer 0,1} x: int;
yield procedure {:layer 1} {:extern} P() { assert {:layer 1} false; }
yield procedure {:layer 1} P() { }
