// Additions commute, reads commute, and so do writes with different permissions.
// verdict: verified

var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
var {:layer 0,1} a: [int]int;

both action {:layer 1} ADD(k: int) { x := x + k; }
both action {:layer 1} WRITE({:linear} p: One int, v: int) { a[p->val] := v; }
both action {:layer 1} READ({:linear} p: One int) returns (v: int) { v := a[p->val]; }
right action {:layer 1} SEEN() returns (v: int) { assume v <= y; }
atomic action {:layer 1} GROW(k: int) { assume 0 < k; y := y + k; }
