// explore: exhausted
// mode: failures trace
// scope: threads=2 calls=2 X=2
//
// A bounded buffer: two slots used as a ring, under one lock. Who finds it full or empty goes away and says so.
//
// Layer 0 -> 1   the machine: one access to memory per step; `Lock` waits.
// Layer 1 -> 2   TryPut and TryTake are atomic operations on `buffer`.

type X;

var {:layer 0,1} locked: bool;
var {:layer 0,1} slots: [int]Option X;
var {:layer 0,1} first: int;            // the slot of the oldest item
var {:layer 0,1} count: int;
var {:layer 1,2} buffer: Vec X;

atomic action {:layer 1} {:explore.init} {:explore.scope "X", 2} EmptySlots()
{
  locked := false;
  slots := MapConst(None());
  first := 0;
  count := 0;
}

atomic action {:layer 2} {:explore.init} EmptyBuffer()
{
  buffer := Vec_Empty();
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} TryPut(x: X) returns (done: bool)
refines atomic action {:layer 2} _
{
  done := Vec_Len(buffer) < 2;
  if (done) {
    buffer := Vec_Append(buffer, x);
  }
}
{
  var start, size: int;

  call Lock();
  call Others();
  call size := ReadCount();
  call Others();
  if (size == 2) {
    call Unlock();
    done := false;
    return;
  }
  call start := ReadFirst();
  call Others();
  call WriteSlot((start + size) mod 2, Some(x));
  call Others();
  call WriteCount(size + 1);
  call Others();
  call Unlock();
  done := true;
}

yield procedure {:layer 1} {:explore.root} TryTake() returns (result: Option X)
refines atomic action {:layer 2} _
{
  if (Vec_Len(buffer) == 0) {
    result := None();
  } else {
    result := Some(Vec_Nth(buffer, 0));
    buffer := Vec_Slice(buffer, 1, Vec_Len(buffer));
  }
}
{
  var start, size: int;

  call Lock();
  call Others();
  call size := ReadCount();
  call Others();
  if (size == 0) {
    call Unlock();
    result := None();
    return;
  }
  call start := ReadFirst();
  call Others();
  call result := ReadSlot(start);
  call Others();
  call WriteSlot(start, None());
  call Others();
  call WriteFirst((start + 1) mod 2);
  call Others();
  call WriteCount(size - 1);
  call Others();
  call Unlock();
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadFirst() returns (seen: int);
refines atomic action {:layer 1} _
{
  seen := first;
}

yield procedure {:layer 0} WriteFirst(new_value: int);
refines atomic action {:layer 1} _
{
  first := new_value;
}

yield procedure {:layer 0} ReadCount() returns (seen: int);
refines atomic action {:layer 1} _
{
  seen := count;
}

yield procedure {:layer 0} WriteCount(new_value: int);
refines atomic action {:layer 1} _
{
  count := new_value;
}

yield procedure {:layer 0} ReadSlot(slot: int) returns (seen: Option X);
refines atomic action {:layer 1} _
{
  seen := slots[slot];
}

yield procedure {:layer 0} WriteSlot(slot: int, item: Option X);
refines atomic action {:layer 1} _
{
  slots[slot] := item;
}

yield procedure {:layer 0} Lock();
refines atomic action {:layer 1} _
{
  assume !locked;
  locked := true;
}

yield procedure {:layer 0} Unlock();
refines atomic action {:layer 1} _
{
  assert locked;
  locked := false;
}
