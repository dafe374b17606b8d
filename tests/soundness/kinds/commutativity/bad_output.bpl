// Two draws give each thread another number if they are exchanged.
// verdict: errors

var {:layer 0,1} next: int;

right action {:layer 1} DRAW() returns (n: int) { n := next; next := next + 1; } //~ error[commutativity] "DRAW"
