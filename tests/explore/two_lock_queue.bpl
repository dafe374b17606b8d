// explore: exhausted
// mode: failures trace
// scope: threads=2 calls=2 X=2
//
// A queue with two locks, one for each end: a list with a node in front of its first item, so that the ends meet only
// in the link of that node.
//
// Layer 0 -> 1   the machine: one access to memory per step; locks wait. Pointers are optional addresses.
// Layer 1 -> 2   Enqueue and Dequeue are atomic operations on `queue`.

type X;

datatype QueueNode { QueueNode(next: Option Loc, item: Option X) }

var {:layer 0,1} head: Option Loc;   // the node in front of the first item
var {:layer 0,1} tail: Option Loc;
var {:layer 0,1} {:linear} nodes: Map (One Loc) QueueNode;
var {:layer 0,1} head_locked: bool;
var {:layer 0,1} tail_locked: bool;
var {:layer 1,2} queue: Vec X;

atomic action {:layer 1} {:explore.init} {:explore.scope "X", 2} OneNode()
{
  var dummy: One Loc;

  call nodes := Map_MakeEmpty();
  call dummy := Loc_New();
  head := Some(dummy->val);
  tail := Some(dummy->val);
  head_locked := false;
  tail_locked := false;
  call Map_Put(nodes, dummy, QueueNode(None(), None()));
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
  var node, last: Option Loc;

  call node := Allocate(QueueNode(None(), Some(x)));
  call LockTail();
  call Others();
  call last := ReadTail();
  call Others();
  call WriteNext(last, node);
  call Others();
  call WriteTail(node);
  call Others();
  call UnlockTail();
}

yield procedure {:layer 1} {:explore.root} Dequeue() returns (result: Option X)
refines atomic action {:layer 2} _
{
  if (Vec_Len(queue) == 0) {
    result := None();
  } else {
    result := Some(Vec_Nth(queue, 0));
    queue := Vec_Slice(queue, 1, Vec_Len(queue));
  }
}
{
  var first, next: Option Loc;

  call LockHead();
  call Others();
  call first := ReadHead();
  call Others();
  call next := ReadNext(first);
  call Others();
  if (next is Some) {
    call result := ReadItem(next);
    call WriteHead(next);
    call Others();
  } else {
    result := None();
  }
  call UnlockHead();
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadHead() returns (node: Option Loc);
refines atomic action {:layer 1} _
{
  node := head;
}

yield procedure {:layer 0} ReadTail() returns (node: Option Loc);
refines atomic action {:layer 1} _
{
  node := tail;
}

yield procedure {:layer 0} ReadNext(node: Option Loc) returns (next: Option Loc);
refines atomic action {:layer 1} _
{
  assert node is Some;
  call next := Path_Load(nodes->val[One(node->t)]->next);
}

// A right mover: the item of a node never changes.
yield procedure {:layer 0} ReadItem(node: Option Loc) returns (item: Option X);
refines right action {:layer 1} _
{
  assert node is Some;
  call item := Path_Load(nodes->val[One(node->t)]->item);
}

// A right mover: nobody else knows the fresh address.
yield procedure {:layer 0} Allocate(cell: QueueNode) returns (node: Option Loc);
refines right action {:layer 1} _
{
  var fresh: One Loc;

  call fresh := Loc_New();
  node := Some(fresh->val);
  call Map_Put(nodes, fresh, cell);
}

yield procedure {:layer 0} WriteNext(node: Option Loc, next: Option Loc);
refines atomic action {:layer 1} _
{
  assert node is Some;
  call Path_Store(nodes->val[One(node->t)]->next, next);
}

yield procedure {:layer 0} WriteHead(node: Option Loc);
refines atomic action {:layer 1} _
{
  head := node;
}

yield procedure {:layer 0} WriteTail(node: Option Loc);
refines atomic action {:layer 1} _
{
  tail := node;
}

yield procedure {:layer 0} LockHead();
refines atomic action {:layer 1} _
{
  assume !head_locked;
  head_locked := true;
}

yield procedure {:layer 0} UnlockHead();
refines atomic action {:layer 1} _
{
  assert head_locked;
  head_locked := false;
}

yield procedure {:layer 0} LockTail();
refines atomic action {:layer 1} _
{
  assume !tail_locked;
  tail_locked := true;
}

yield procedure {:layer 0} UnlockTail();
refines atomic action {:layer 1} _
{
  assert tail_locked;
  tail_locked := false;
}
