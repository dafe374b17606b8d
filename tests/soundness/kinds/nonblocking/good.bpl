// Left movers that can always run.
// verdict: verified

var {:layer 0,1} x: int;
var {:layer 0,1} {:linear} memory: Map (One Loc) int;

left action {:layer 1} ADD(k: int) { if (0 < k) { x := x + k; } else { x := x - k; } }
left action {:layer 1} ALLOCATE({:linear_in} loc: One Loc) { call Map_Put(memory, loc, 0); }
left action {:layer 1} NOTHING(k: int) returns (r: int) { r := k; assume r <= k; }
