// A left mover may not wait.
// verdict: errors

var {:layer 0,1} x: int;

left action {:layer 1} WAIT() { assume 0 < x; } //~ error[nonblocking] "WAIT"
