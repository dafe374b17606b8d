// Holding the permission for a place does not help to write the next one.
// verdict: errors

var {:layer 0,1} a: [int]int;

right action {:layer 1} WRITE_NEXT({:linear} p: One int, v: int) { a[p->val + 1] := v; } //~ error[commutativity] "WRITE"
atomic action {:layer 1} WRITE({:linear} p: One int, v: int) { a[p->val] := v; }
