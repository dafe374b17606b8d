// explore: violation
// mode: trace
// scope: threads=3 calls=1 X=1
//
// `../herlihy_wing_queue.bpl`, except that a slot is read and emptied in two steps, so two calls may take the same item.

type X;

var {:layer 0,1} slots: [int]Option X;
var {:layer 0,1} back: int;             // slots drawn so far
var {:layer 1,2} queue: Vec X;

atomic action {:layer 1} {:explore.init} {:explore.scope "X", 2} EmptySlots()
{
  slots := MapConst(None());
  back := 0;
}

atomic action {:layer 2} {:explore.init} EmptyQueue()
{
  queue := Vec_Empty();
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Enqueue(x: X)
refines atomic action {:layer 2} _
{
  queue := Vec_Append(queue, x);
}
{
  var slot: int;

  call slot := DrawSlot();
  call Others();
  call WriteSlot(slot, x);
}

yield procedure {:layer 1} {:explore.root} Dequeue() returns (result: Option X)
refines atomic action {:layer 2} _
{
  assume Vec_Len(queue) > 0;
  result := Some(Vec_Nth(queue, 0));
  queue := Vec_Slice(queue, 1, Vec_Len(queue));
}
{
  var slot, end: int;

  result := None();
  slot := 0;
  end := 0;
  while (result is None)
  invariant {:yields} true;
  {
    call end := ReadBack();
    slot := 0;
    while (slot < end && result is None)
    invariant {:yields} true;
    {
      call result := ReadSlot(slot);
      if (result is Some) {
        call Others();
        call EmptySlot(slot);
      }
      slot := slot + 1;
    }
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} DrawSlot() returns (slot: int);
refines atomic action {:layer 1} _
{
  slot := back;
  back := back + 1;
}

yield procedure {:layer 0} ReadBack() returns (end: int);
refines atomic action {:layer 1} _
{
  end := back;
}

yield procedure {:layer 0} WriteSlot(slot: int, x: X);
refines atomic action {:layer 1} _
{
  slots[slot] := Some(x);
}

yield procedure {:layer 0} ReadSlot(slot: int) returns (item: Option X);
refines atomic action {:layer 1} _
{
  item := slots[slot];
}

yield procedure {:layer 0} EmptySlot(slot: int);
refines atomic action {:layer 1} _
{
  slots[slot] := None();
}
