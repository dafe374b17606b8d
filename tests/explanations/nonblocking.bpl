// A left mover that may have to wait.
var {:layer 0,1} x: int;

left action {:layer 1} TAKE(n: int) { assume n < x; }
