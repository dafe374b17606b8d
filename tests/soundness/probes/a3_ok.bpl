// Nearest good neighbour of a3: the parameter is linear.
// verdict: verified

var {:layer 0,1} a: [One int]int;
right action {:layer 1} A_W({:linear} t: One int, v: int) modifies a; { a[t] := v; }
