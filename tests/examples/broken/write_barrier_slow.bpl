// The write barrier with a slip in its slow path: it sets Color to WHITE, not to GRAY.
// The steps under the lock are still atomic, but they are not the atomic step that was promised.

type Tid;

function {:inline} WHITE(): int { 1 }
function {:inline} GRAY(): int { 2 }

var {:layer 0,3} Color: int;
var {:layer 0,1} owner: Option Tid;

// Colors only get darker.
yield invariant {:layer 2} ColorAtLeast(shade: int);
preserves shade <= Color;

atomic action {:layer 2,3} SHADE({:linear} me: One Tid)
{
  if (Color < GRAY()) {
    Color := GRAY();
  }
}

// ---- The barrier (layer 2) -----------------------------------------------------------------------------

yield procedure {:layer 2} WriteBarrier({:linear} me: One Tid)
refines SHADE;
requires call ColorAtLeast(WHITE());
ensures call ColorAtLeast(GRAY());
{
  var seen: int;

  call seen := ReadColor();
  call ColorAtLeast(seen);
  if (seen < GRAY()) {
    call WriteBarrierSlow(me);
  }
}

// ---- The slow path (layer 1) ---------------------------------------------------------------------------

yield procedure {:layer 1} WriteBarrierSlow({:linear} me: One Tid)
refines SHADE;
{
  var color: int;

  call Acquire(me);
  call color := ReadColorLocked(me);
  if (color < GRAY()) {
    call SetColorLocked(me, WHITE()); //~ error[refinement] "Color"
  }
  call Release(me);
} //~ error[refinement] "SHADE"

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
