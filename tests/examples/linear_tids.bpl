// Thread identifiers as permissions (after Figure 4 of the CIVL paper, CAV 2015, in today's dialect).
//
// Each thread works on its own slot of an array. Nobody else touches the slot, because the thread's
// identifier is linear: at any moment only one variable of the program holds it.
//
// Layer 0 -> 1   the machine: a counter to draw numbers from, the array.
// Layer 1 -> 2   a number becomes a permission, taken from the pool of those never handed out.
// Layer 2        the threads.

var {:layer 0,1} next: int;                         // the next number
var {:layer 0,2} slots: [int]int;
var {:layer 1,2} {:linear} pool: UnitMap (One int); // permissions not handed out yet

yield invariant {:layer 1} PoolCoversFuture();
preserves (forall i: int :: next <= i ==> Map_Contains(pool, One(i)));

// ---- The threads (layer 2) -----------------------------------------------------------------------------

// A thread's own slot keeps its value while other threads run: they hold other permissions.
yield invariant {:layer 2} SlotIs({:linear} tid: One int, v: int);
preserves slots[tid->val] == v;

yield procedure {:layer 2} Main()
requires call PoolCoversFuture();
{
  var i: int;
  var {:layer 1,2} tid: One int;

  while (true)
  invariant {:yields} true;
  invariant call PoolCoversFuture();
  {
    call tid, i := Allocate();
    async call Worker(tid, i);
  }
}

yield procedure {:layer 2} Worker({:layer 1,2} {:linear_in} tid: One int, i: int)
requires {:layer 1} tid->val == i;
requires call PoolCoversFuture();
{
  var v, w: int;

  call v := Read(tid, i);
  call PoolCoversFuture() | SlotIs(tid, v);
  call Write(tid, i, v + 1);
  call PoolCoversFuture() | SlotIs(tid, v + 1);
  call w := Read(tid, i);
  assert {:layer 2} w == v + 1;
}

// ---- Numbers become permissions (layer 1) --------------------------------------------------------------

yield procedure {:layer 1} Allocate() returns ({:layer 1} {:linear} tid: One int, i: int)
refines right action {:layer 2} _
{
  assume Map_Contains(pool, One(i));
  tid := One(i);
  call One_Get(pool, tid);
}
preserves call PoolCoversFuture();
ensures {:layer 1} tid->val == i;
{
  call i := DrawNumber();
  tid := One(i);
  call {:layer 1} One_Get(pool, tid);
}

yield procedure {:layer 1} Read({:layer 1} {:linear} tid: One int, i: int) returns (v: int)
refines atomic action {:layer 2} _
{
  v := slots[tid->val];
}
requires {:layer 1} tid->val == i;
preserves call PoolCoversFuture();
{
  call v := Load(i);
}

yield procedure {:layer 1} Write({:layer 1} {:linear} tid: One int, i: int, v: int)
refines atomic action {:layer 2} _
{
  slots[tid->val] := v;
}
requires {:layer 1} tid->val == i;
preserves call PoolCoversFuture();
{
  call Store(i, v);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} DrawNumber() returns (i: int);
refines atomic action {:layer 1} _
{
  i := next;
  next := next + 1;
}

yield procedure {:layer 0} Load(i: int) returns (v: int);
refines atomic action {:layer 1} _
{
  v := slots[i];
}

yield procedure {:layer 0} Store(i: int, v: int);
refines atomic action {:layer 1} _
{
  slots[i] := v;
}
