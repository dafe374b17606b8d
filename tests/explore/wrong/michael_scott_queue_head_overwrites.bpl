// explore: violation
// mode: trace
// scope: threads=3 calls=1 X=1
//
// `../michael_scott_queue.bpl`, except that Dequeue moves the head without comparing: two calls may take the same item.

type X;

datatype QueueNode { QueueNode(next: Option Loc, item: Option X) }

var {:layer 0,1} head: Option Loc;   // the node in front of the first item
var {:layer 0,1} tail: Option Loc;
var {:layer 0,1} {:linear} nodes: Map (One Loc) QueueNode;
var {:layer 1,2} queue: Vec X;

atomic action {:layer 1} {:explore.init} {:explore.scope "X", 2} OneNode()
{
  var dummy: One Loc;

  call nodes := Map_MakeEmpty();
  call dummy := Loc_New();
  head := Some(dummy->val);
  tail := Some(dummy->val);
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
  var node, last, next: Option Loc;
  var done, moved: bool;

  last := None();
  next := None();
  done := false;
  moved := false;
  call node := Allocate(QueueNode(None(), Some(x)));
  while (!done)
  invariant {:yields} true;
  {
    call last := ReadTail();
    call Others();
    call next := ReadNext(last);
    call Others();
    if (next is Some) {
      // Somebody linked a node and has not moved the tail yet: help.
      call moved := SwapTail(last, next);
    } else {
      call done := SwapNext(last, None(), node);
    }
  }
  call Others();
  call moved := SwapTail(last, node);
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
  var first, last, next: Option Loc;
  var done, moved: bool;

  first := None();
  last := None();
  next := None();
  result := None();
  done := false;
  moved := false;
  while (!done)
  invariant {:yields} true;
  {
    call first := ReadHead();
    call Others();
    call last := ReadTail();
    call Others();
    call next := ReadNext(first);
    if (first == last) {
      // Perhaps empty, perhaps the tail lags behind.
      if (next is None) {
        result := None();
        return;
      }
      call Others();
      call moved := SwapTail(last, next);
    } else {
      call Others();
      call result := ReadItem(next);
      call WriteHead(next);
      done := true;
    }
  }
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

yield procedure {:layer 0} SwapNext(node: Option Loc, expected: Option Loc, desired: Option Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  var next: Option Loc;

  assert node is Some;
  call next := Path_Load(nodes->val[One(node->t)]->next);
  done := next == expected;
  if (done) {
    call Path_Store(nodes->val[One(node->t)]->next, desired);
  }
}

yield procedure {:layer 0} WriteHead(node: Option Loc);
refines atomic action {:layer 1} _
{
  head := node;
}

yield procedure {:layer 0} SwapHead(expected: Option Loc, desired: Option Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := head == expected;
  if (done) {
    head := desired;
  }
}

yield procedure {:layer 0} SwapTail(expected: Option Loc, desired: Option Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := tail == expected;
  if (done) {
    tail := desired;
  }
}
