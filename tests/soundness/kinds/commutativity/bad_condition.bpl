// A test-and-set moves neither way.
// verdict: errors

var {:layer 0,1} idle: bool;

right action {:layer 1} TRY() returns (won: bool) { won := idle; idle := false; } //~ error[commutativity] "TRY"
