// A lock with a counter; the holder adds twice as one step.
// favour: mover, duplicate
type Tid;
var {:layer 0,2} lock: Option Tid;
var {:layer 0,3} total: int;
yield procedure {:layer 0} Acquire({:linear} me: One Tid);
refines right action {:layer 1,2} _ { assume lock == None(); lock := Some(me->val); }
yield procedure {:layer 0} Release({:linear} me: One Tid);
refines left action {:layer 1,2} _ { assert lock == Some(me->val); lock := None(); }
yield procedure {:layer 0} Read({:linear} me: One Tid) returns (v: int);
refines both action {:layer 1,2} _ { assert lock == Some(me->val); v := total; }
yield procedure {:layer 0} Write({:linear} me: One Tid, v: int);
refines both action {:layer 1,2} _ { assert lock == Some(me->val); total := v; }
yield procedure {:layer 2} Add({:linear} me: One Tid, k: int) returns (s: int)
refines atomic action {:layer 3} _ { total := total + k; s := total; }
{
  var v: int;
  call Acquire(me);
  call v := Read(me);
  call Write(me, v + k);
  s := v + k;
  call Release(me);
}
