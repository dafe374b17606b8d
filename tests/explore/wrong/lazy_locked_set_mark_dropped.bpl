// explore: violation
// mode: trace
// scope: threads=2 calls=2 int=2
//
// `../lazy_locked_set.bpl`, except that Remove unlinks a node without marking it: somebody may link a new node behind it.

datatype Rank { Lowest(), Element(key: int), Highest() }   // the two sentinels, and what lies between them

datatype Entry { Entry(rank: Rank, next: Option Loc, marked: bool, locked: bool) }

var {:layer 0,1} head: Loc;
var {:layer 0,1} {:linear} nodes: Map (One Loc) Entry;
var {:layer 1,2} set: [int]bool;

function {:inline} Below(rank: Rank, k: int): bool
{
  rank == Lowest() || (rank is Element && rank->key < k)
}

// ---- Initial states ------------------------------------------------------------------------------------

atomic action {:layer 1} {:explore.init} {:explore.scope "int", 2} TwoSentinels()
{
  var first, last: One Loc;

  call nodes := Map_MakeEmpty();
  call last := Loc_New();
  call first := Loc_New();
  head := first->val;
  call Map_Put(nodes, first, Entry(Lowest(), Some(last->val), false, false));
  call Map_Put(nodes, last, Entry(Highest(), None(), false, false));
}

atomic action {:layer 2} {:explore.init} EmptySet()
{
  set := MapConst(false);
}

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Add(k: int) returns (added: bool)
refines atomic action {:layer 2} _
{
  added := !set[k];
  set[k] := true;
}
{
  var done: bool;

  done := false;
  added := false;
  while (!done)
  invariant {:yields} true;
  {
    call done, added := TryAdd(k);
  }
}

// One attempt; `done` says whether it counts.
yield procedure {:layer 1} TryAdd(k: int) returns (done: bool, added: bool)
{
  var pred, curr, entry: Loc;
  var found: bool;

  call pred, curr, done, found := LocateAndLock(k);
  added := done && !found;
  if (added) {
    call entry := Allocate(Entry(Element(k), Some(curr), false, false));
    call Others();
    call WriteNext(pred, entry);
    call Others();
  }
  call Unlock(curr);
  call Others();
  call Unlock(pred);
}

yield procedure {:layer 1} {:explore.root} Remove(k: int) returns (removed: bool)
refines atomic action {:layer 2} _
{
  removed := set[k];
  set[k] := false;
}
{
  var done: bool;

  done := false;
  removed := false;
  while (!done)
  invariant {:yields} true;
  {
    call done, removed := TryRemove(k);
  }
}

yield procedure {:layer 1} TryRemove(k: int) returns (done: bool, removed: bool)
{
  var pred, curr, next: Loc;
  var found: bool;

  call pred, curr, done, found := LocateAndLock(k);
  removed := done && found;
  if (removed) {
    call next := ReadNext(curr);
    call Others();
    call WriteNext(pred, next);
    call Others();
  }
  call Unlock(curr);
  call Others();
  call Unlock(pred);
}

yield procedure {:layer 1} {:explore.root} Contains(k: int) returns (found: bool)
refines atomic action {:layer 2} _
{
  found := set[k];
}
{
  var pred, curr: Loc;
  var marked: bool;

  call pred, curr, found := Locate(k);
  if (found) {
    call marked := ReadMarked(curr);
    found := !marked;
  }
}

// Locks the place of `k`; `valid` says whether the two nodes were neighbours in the list after that.
yield procedure {:layer 1} LocateAndLock(k: int) returns (pred: Loc, curr: Loc, valid: bool, found: bool)
{
  var marked: bool;
  var next: Loc;

  call pred, curr, found := Locate(k);
  call Lock(pred);
  call Others();
  call Lock(curr);
  call Others();
  call marked := ReadMarked(pred);
  valid := !marked;
  if (valid) {
    call Others();
    call marked := ReadMarked(curr);
    valid := !marked;
  }
  if (valid) {
    call Others();
    call next := ReadNext(pred);
    valid := next == curr;
  }
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// The first node whose key is not below `k`, and the node in front of it.
yield procedure {:layer 1} Locate(k: int) returns (pred: Loc, curr: Loc, found: bool)
{
  var rank: Rank;

  rank := Lowest();
  call pred, curr := ReadFirst();
  while (true)
  invariant {:yields} true;
  {
    call rank := ReadRank(curr);
    if (!Below(rank, k)) {
      found := rank == Element(k);
      return;
    }
    pred := curr;
    call Others();
    call curr := ReadNext(curr);
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadFirst() returns (pred: Loc, curr: Loc);
refines atomic action {:layer 1} _
{
  var next: Option Loc;

  pred := head;
  call next := Path_Load(nodes->val[One(head)]->next);
  assert next is Some;
  curr := next->t;
}

// A right mover: the key of a node never changes.
yield procedure {:layer 0} ReadRank(loc: Loc) returns (rank: Rank);
refines right action {:layer 1} _
{
  call rank := Path_Load(nodes->val[One(loc)]->rank);
}

// Whoever reads behind the last node has lost the way.
yield procedure {:layer 0} ReadNext(loc: Loc) returns (curr: Loc);
refines atomic action {:layer 1} _
{
  var next: Option Loc;

  call next := Path_Load(nodes->val[One(loc)]->next);
  assert next is Some;
  curr := next->t;
}

// A right mover: nobody else knows the fresh address.
yield procedure {:layer 0} Allocate(entry: Entry) returns (loc: Loc);
refines right action {:layer 1} _
{
  var fresh: One Loc;

  call fresh := Loc_New();
  loc := fresh->val;
  call Map_Put(nodes, fresh, entry);
}

yield procedure {:layer 0} ReadMarked(loc: Loc) returns (marked: bool);
refines atomic action {:layer 1} _
{
  call marked := Path_Load(nodes->val[One(loc)]->marked);
}

yield procedure {:layer 0} Mark(loc: Loc);
refines atomic action {:layer 1} _
{
  call Path_Store(nodes->val[One(loc)]->marked, true);
}

yield procedure {:layer 0} WriteNext(loc: Loc, next: Loc);
refines atomic action {:layer 1} _
{
  call Path_Store(nodes->val[One(loc)]->next, Some(next));
}

// Waits until the node is free.
yield procedure {:layer 0} Lock(loc: Loc);
refines atomic action {:layer 1} _
{
  var entry: Entry;

  call entry := Path_Load(nodes->val[One(loc)]);
  assume !entry->locked;
  call Path_Store(nodes->val[One(loc)]->locked, true);
}

yield procedure {:layer 0} Unlock(loc: Loc);
refines atomic action {:layer 1} _
{
  var entry: Entry;

  call entry := Path_Load(nodes->val[One(loc)]);
  assert entry->locked;
  call Path_Store(nodes->val[One(loc)]->locked, false);
}
