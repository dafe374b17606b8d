// One winner, and everything is about it.
// verdict: verified

var {:layer 0,1} x: int;

yield procedure {:layer 1} {:extern} P();
yield procedure {:layer 1} P() { }

function {:extern} F(x: int): int { x + 1 }
function F(x: int): int { x + 2 }
procedure Q() { assert F(0) == 2; }
