// What one action asserts, no action that moves across it destroys.
// verdict: verified

type Tid;

var {:layer 0,1} owner: Option Tid;
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;

right action {:layer 1} ACQUIRE({:linear} me: One Tid) { assume owner is None; owner := Some(me->val); }
left action {:layer 1} RELEASE({:linear} me: One Tid) { assert owner == Some(me->val); owner := None(); }
right action {:layer 1} GROW() { x := x + 1; }
atomic action {:layer 1} USE() { assert 0 < x; }
left action {:layer 1} COUNT() { assert 0 <= x; y := y + 1; }
