// The counter with the lock released one statement too early: the write is no longer protected.

type Tid;

var {:layer 0,1} owner: Option Tid;   // the lock
var {:layer 0,2} count: int;

// ---- Layer 1: steps under the lock ---------------------------------------------------------------------

yield procedure {:layer 0} Acquire({:linear} me: One Tid);
refines right action {:layer 1} _
{
  assume owner is None;
  owner := Some(me->val);
}

yield procedure {:layer 0} Release({:linear} me: One Tid);
refines left action {:layer 1} _
{
  assert owner == Some(me->val);
  owner := None();
}

yield procedure {:layer 0} Read({:linear} me: One Tid) returns (value: int);
refines both action {:layer 1} _
{
  assert owner == Some(me->val);
  value := count;
}

yield procedure {:layer 0} Write({:linear} me: One Tid, value: int);
refines both action {:layer 1} _
{
  assert owner == Some(me->val);
  count := value;
}

// ---- Layer 1 -> 2: four steps become one ---------------------------------------------------------------

yield procedure {:layer 1} Increment({:linear} me: One Tid) returns (before: int)
refines atomic action {:layer 2} _
{
  before := count;
  count := count + 1;
}
{
  call Acquire(me);
  call before := Read(me);
  call Release(me);
  call Write(me, before + 1); //~ error[gate]
}

// ---- Layer 2: a client ---------------------------------------------------------------------------------

// The counter never goes down.
yield invariant {:layer 2} CountReached(n: int);
preserves n <= count;

yield procedure {:layer 2} Client({:linear} me: One Tid)
{
  var first, second: int;

  call first := Increment(me);
  call CountReached(first + 1);
  call second := Increment(me);
  assert {:layer 2} first < second;
}
