// The queue lock in an array with an owner who raises its own flag again when it leaves.

var {:layer 0,1} tail: int;                             // the next slot to draw
var {:layer 0,1} flag: [int]bool;
var {:layer 0,1} value: int;                            // what the lock protects
var {:layer 1,1} turn: int;                             // the slot of the owner, or of the next one
var {:layer 1,1} {:linear} unused: UnitMap (One int);   // slots that nobody has drawn

yield invariant {:layer 1} FlagsUpToTurn();
preserves (forall i: int :: {flag[i]} flag[i] <==> i <= turn);
preserves turn <= tail;
preserves (forall i: int :: tail <= i ==> Map_Contains(unused, One(i)));

// Slots of waiting threads lie ahead.
yield invariant {:layer 1} Waiting({:linear} slot: One int);
preserves turn <= slot->val;

yield invariant {:layer 1} Entered({:linear} slot: One int);
preserves turn == slot->val;

// The owner alone changes the value.
yield invariant {:layer 1} Owning({:linear} slot: One int, v: int);
preserves turn == slot->val && value == v;

yield procedure {:layer 1} Increment()
preserves call FlagsUpToTurn();
{
  var {:layer 1} slot: One int;
  var mine, v, w: int;

  call mine := Draw();
  slot := One(mine);
  call {:layer 1} One_Get(unused, slot);
  call FlagsUpToTurn() | Waiting(slot);
  call Await(mine);
  call FlagsUpToTurn() | Entered(slot);
  call v := Load();
  call FlagsUpToTurn() | Owning(slot, v);
  call Store(v + 1);
  call FlagsUpToTurn() | Owning(slot, v + 1);
  call w := Load();
  assert {:layer 1} w == v + 1;
  call FlagsUpToTurn() | Entered(slot);
  call Raise(mine);    // should be the slot behind
  call {:layer 1} turn := Copy(turn + 1); //~ error[noninterference] "FlagsUpToTurn"
} //~ error[postcondition] "Increment"

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Draw() returns (slot: int);
refines atomic action {:layer 1} _
{
  slot := tail;
  tail := tail + 1;
}

yield procedure {:layer 0} Await(slot: int);
refines atomic action {:layer 1} _
{
  assume flag[slot];
}

yield procedure {:layer 0} Raise(slot: int);
refines atomic action {:layer 1} _
{
  flag[slot] := true;
}

yield procedure {:layer 0} Load() returns (v: int);
refines atomic action {:layer 1} _
{
  v := value;
}

yield procedure {:layer 0} Store(v: int);
refines atomic action {:layer 1} _
{
  value := v;
}
