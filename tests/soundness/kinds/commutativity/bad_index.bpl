// Two writes may have the same index.
// verdict: errors

var {:layer 0,1} a: [int]int;

right action {:layer 1} WRITE(i: int, v: int) { a[i] := v; } //~ error[commutativity] "WRITE"
