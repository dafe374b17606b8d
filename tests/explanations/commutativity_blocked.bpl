// The other order cannot be done at all.
var {:layer 0,1} count: int;

left action {:layer 1} PUT(n: int) { assert 0 < n; count := count + n; }

atomic action {:layer 1} WAIT_EMPTY() { assume count == 0; }
