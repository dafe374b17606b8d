// Every action keeps the global invariants, some of them because of their gates or permissions.
// verdict: verified

var {:layer 0,1} x: int;
var {:layer 0,1} a: [int]int;

invariant {:layer 1} Even();
preserves x mod 2 == 0;

invariant {:layer 1} Ordered(i: int);
preserves 0 <= a[i];

atomic action {:layer 1} ADD(k: int) { assert k mod 2 == 0; x := x + k; }
atomic action {:layer 1} STORE(i: int, v: int) { assert 0 <= v; a[i] := v; }
