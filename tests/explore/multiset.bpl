// explore: exhausted
// mode: failures trace
// scope: threads=2 calls=2 int=2
//
// A multiset in an array of two slots. Inserting a pair reserves two slots one after the other and makes both valid under
// both locks; what is reserved but not valid is not there yet. If no two slots are free, the pair is not inserted.
//
// Layer 0 -> 1   the machine: one access to memory per step; `Lock` waits.
// Layer 1 -> 2   InsertPair and LookUp are atomic operations on `multiset`.

datatype Slot { Slot(item: Option int, valid: bool, locked: bool) }

var {:layer 0,1} slots: [int]Slot;
var {:layer 1,2} multiset: [int]int;    // how often each item is there

atomic action {:layer 1} {:explore.init} {:explore.scope "int", 2} EmptySlots()
{
  slots := MapConst(Slot(None(), false, false));
}

atomic action {:layer 2} {:explore.init} EmptyMultiset()
{
  multiset := MapConst(0);
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} InsertPair(x: int, y: int) returns (inserted: bool)
refines atomic action {:layer 2} _
{
  // Whether there is room depends on slots that others reserve and give back.
  havoc inserted;
  if (inserted) {
    multiset[x] := multiset[x] + 1;
    multiset[y] := multiset[y] + 1;
  }
}
{
  var first, second: int;

  call first := Reserve(x);
  if (first == 2) {
    inserted := false;
    return;
  }
  call second := Reserve(y);
  if (second == 2) {
    call GiveBack(first);
    inserted := false;
    return;
  }
  // Locks are taken from left to right; a call reserves from left to right, so `first` lies before `second`,
  // unless a slot in front of `first` was given back meanwhile.
  call Lock(if first < second then first else second);
  call Others();
  call Lock(if first < second then second else first);
  call Others();
  call Publish(first);
  call Others();
  call Publish(second);
  call Others();
  call Unlock(first);
  call Others();
  call Unlock(second);
  inserted := true;
}

// The first free slot, which now holds `x`; 2 if there is none.
yield procedure {:layer 1} Reserve(x: int) returns (slot: int)
{
  var won: bool;

  slot := 0;
  won := false;
  while (slot < 2)
  invariant {:yields} true;
  {
    call won := TryReserve(slot, x);
    if (won) {
      return;
    }
    slot := slot + 1;
  }
}

yield procedure {:layer 1} {:explore.root} LookUp(x: int) returns (found: bool)
refines atomic action {:layer 2} _
{
  found := multiset[x] > 0;
}
{
  var slot: int;

  found := false;
  slot := 0;
  while (slot < 2 && !found)
  invariant {:yields} true;
  {
    call Lock(slot);
    call Others();
    call found := Holds(slot, x);
    call Others();
    call Unlock(slot);
    slot := slot + 1;
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} TryReserve(slot: int, x: int) returns (won: bool);
refines atomic action {:layer 1} _
{
  won := slots[slot]->item is None;
  if (won) {
    slots[slot]->item := Some(x);
  }
}

yield procedure {:layer 0} GiveBack(slot: int);
refines atomic action {:layer 1} _
{
  slots[slot]->item := None();
}

yield procedure {:layer 0} Publish(slot: int);
refines atomic action {:layer 1} _
{
  slots[slot]->valid := true;
}

yield procedure {:layer 0} Holds(slot: int, x: int) returns (found: bool);
refines atomic action {:layer 1} _
{
  found := slots[slot]->valid && slots[slot]->item == Some(x);
}

yield procedure {:layer 0} Lock(slot: int);
refines atomic action {:layer 1} _
{
  assume !slots[slot]->locked;
  slots[slot]->locked := true;
}

yield procedure {:layer 0} Unlock(slot: int);
refines atomic action {:layer 1} _
{
  assert slots[slot]->locked;
  slots[slot]->locked := false;
}
