// The write barrier with `yield e;` beside a collector that sets Color back to WHITE: colors no longer only get darker, and
// what a mutator saw before it yielded need not be true afterwards.

type Tid;

function {:inline} WHITE(): int { 1 }
function {:inline} GRAY(): int { 2 }

var {:layer 0,3} Color: int;
var {:layer 0,1} owner: Option Tid;

atomic action {:layer 2,3} SHADE({:linear} me: One Tid)
{
  if (Color < GRAY()) {
    Color := GRAY();
  }
}

// ---- The barrier (layer 2) -----------------------------------------------------------------------------

yield procedure {:layer 2} WriteBarrier({:linear} me: One Tid)
refines SHADE;
{
  var seen: int;

  call seen := ReadColor();
  yield seen <= Color;
  if (seen < GRAY()) {
    call WriteBarrierSlow(me);
  }
  yield GRAY() <= Color;
}

// ---- The slow path (layer 1) ---------------------------------------------------------------------------

yield procedure {:layer 1} WriteBarrierSlow({:linear} me: One Tid)
refines SHADE;
{
  var color: int;

  call Acquire(me);
  call color := ReadColorLocked(me);
  if (color < GRAY()) {
    call SetColorLocked(me, GRAY());
  }
  call Release(me);
}

// ---- A careless collector ------------------------------------------------------------------------------

atomic action {:layer 2,3} RESET({:linear} me: One Tid)
{
  Color := WHITE();
}

// Makes the object white again, properly under the lock, while mutators may be inside their barriers.
yield procedure {:layer 2} Collect({:linear} me: One Tid)
refines RESET;
{
  call ResetColor(me); //~ error[noninterference] "WriteBarrier.yield1" error[noninterference] "WriteBarrier.yield2"
}

yield procedure {:layer 1} ResetColor({:linear} me: One Tid)
refines RESET;
{
  call Acquire(me);
  call SetColorLocked(me, WHITE());
  call Release(me);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

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

// Without the lock: not a mover, the color may change at any time.
yield procedure {:layer 0} ReadColor() returns (color: int);
refines atomic action {:layer 1,2} _
{
  color := Color;
}

// With the lock: nobody else changes the color meanwhile.
yield procedure {:layer 0} ReadColorLocked({:linear} me: One Tid) returns (color: int);
refines both action {:layer 1} _
{
  assert owner == Some(me->val);
  color := Color;
}

// Not a mover: a thread in ReadColor looks without the lock.
yield procedure {:layer 0} SetColorLocked({:linear} me: One Tid, color: int);
refines atomic action {:layer 1} _
{
  assert owner == Some(me->val);
  Color := color;
}
