// explore: violation
// mode: failures
// scope: threads=3 calls=1 int=1
//
// `../lock_coupling_set.bpl`, except that Add keeps a lock when the key is already there.

datatype Rank { Lowest(), Element(key: int), Highest() }   // the two sentinels, and what lies between them

datatype Entry { Entry(rank: Rank, next: Option Loc, locked: bool) }

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
  call Map_Put(nodes, first, Entry(Lowest(), Some(last->val), false));
  call Map_Put(nodes, last, Entry(Highest(), None(), false));
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
  var pred, curr, entry: Loc;
  var found: bool;

  call pred, curr, found := LocateAndLock(k);
  added := !found;
  if (added) {
    call entry := Allocate(Entry(Element(k), Some(curr), false));
    call Others();
    call WriteNext(pred, entry);
    call Others();
    call Unlock(curr);
    call Others();
  }
  call Unlock(pred);
}

yield procedure {:layer 1} {:explore.root} Remove(k: int) returns (removed: bool)
refines atomic action {:layer 2} _
{
  removed := set[k];
  set[k] := false;
}
{
  var pred, curr, next: Loc;

  call pred, curr, removed := LocateAndLock(k);
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

  call pred, curr, found := LocateAndLock(k);
  call Unlock(curr);
  call Others();
  call Unlock(pred);
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// The first node whose key is not below `k`, and the node in front of it, both locked.
yield procedure {:layer 1} LocateAndLock(k: int) returns (pred: Loc, curr: Loc, found: bool)
{
  var rank: Rank;

  rank := Lowest();
  call pred := ReadHead();
  call Others();
  call Lock(pred);
  call Others();
  call curr := ReadNext(pred);
  call Others();
  call Lock(curr);
  call Others();
  while (true)
  invariant {:yields} true;
  {
    call rank := ReadRank(curr);
    if (!Below(rank, k)) {
      found := rank == Element(k);
      return;
    }
    call Others();
    call Unlock(pred);
    call Others();
    pred := curr;
    call Others();
    call curr := ReadNext(pred);
    call Others();
    call Lock(curr);
    call Others();
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadHead() returns (loc: Loc);
refines atomic action {:layer 1} _
{
  loc := head;
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
