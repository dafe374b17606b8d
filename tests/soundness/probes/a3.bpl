// Section 14.3: a parameter of linear type that is not declared linear carries no permission.
// Expected: commutativity failure of A_W with itself (two writes to the same index).
// verdict: errors

var {:layer 0,1} a: [One int]int;
right action {:layer 1} A_W(t: One int, v: int) modifies a; { a[t] := v; } //~ error[commutativity] "A_W"
