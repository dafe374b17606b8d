// explore: exhausted
// mode: failures trace
// scope: threads=2 calls=2 int=2
//
// A set as a sorted list that is searched without locks, in the variation of Vechev, Yahav and Yorsh that PAT checked.
// A node is marked before it is unlinked. Linking and unlinking first validate that the predecessor is neither marked
// nor has another successor by now; otherwise the call starts again. Searching looks at no mark: whether a failed call
// or `Contains` saw the truth is decided by what others do meanwhile, so they have no fixed linearization point.
//
// Layer 0 -> 1   the machine: one access to memory per step; a validated write is one step, as under two short locks.
// Layer 1 -> 2   Add, Remove and Contains are atomic operations on `set`.

datatype Rank { Lowest(), Element(key: int), Highest() }   // the two sentinels, and what lies between them

datatype Entry { Entry(rank: Rank, next: Option Loc, marked: bool) }

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

  call pred, curr, found := Locate(k);
  if (found) {
    done := true;
    added := false;
    return;
  }
  call entry := Allocate(Entry(Element(k), Some(curr), false));
  call done := WriteIfValid(pred, curr, entry);
  added := done;
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

  call pred, curr, found := Locate(k);
  if (!found) {
    done := true;
    removed := false;
    return;
  }
  call Mark(curr);
  call Others();
  // Nothing is linked behind a marked node: its successor stays.
  call next := ReadNext(curr);
  call Others();
  call done := WriteIfValid(pred, curr, next);
  removed := done;
}

yield procedure {:layer 1} {:explore.root} Contains(k: int) returns (found: bool)
refines atomic action {:layer 2} _
{
  found := set[k];
}
{
  var pred, curr: Loc;

  call pred, curr, found := Locate(k);
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

yield procedure {:layer 0} Mark(loc: Loc);
refines atomic action {:layer 1} _
{
  call Path_Store(nodes->val[One(loc)]->marked, true);
}

yield procedure {:layer 0} WriteIfValid(pred: Loc, curr: Loc, desired: Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  var entry: Entry;

  call entry := Path_Load(nodes->val[One(pred)]);
  done := !entry->marked && entry->next == Some(curr);
  if (done) {
    call Path_Store(nodes->val[One(pred)]->next, Some(desired));
  }
}
