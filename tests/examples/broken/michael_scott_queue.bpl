// The queue with a wrong mover: reading a link is declared a right mover, as if links never changed. The link of the
// last node does, when another thread links its node there.

type X;

datatype QueueNode { QueueNode(next: Option Loc, item: X) }

var {:layer 0,1} head: Loc;
var {:layer 0,1} tail: Loc;
var {:layer 0,1} {:linear} nodes: Map (One Loc) QueueNode;

var {:layer 1,1} chain: [int]Loc;     // the nodes in order
var {:layer 1,1} number: [Loc]int;    // and back: the number of a node in the chain

var {:layer 1,2} items: [int]X;
var {:layer 1,2} taken: int;          // items dequeued so far
var {:layer 1,2} added: int;          // items enqueued so far

function {:inline} InChain(chain: [int]Loc, number: [Loc]int, added: int, loc: Loc): bool
{
  0 <= number[loc] && number[loc] <= added && chain[number[loc]] == loc
}

// The list in memory is the chain, and the chain holds the items.
yield invariant {:layer 1} ListIsQueue();
preserves 0 <= taken && taken <= added;
preserves head == chain[taken];
preserves InChain(chain, number, added, tail) && taken <= number[tail];
preserves (forall i: int :: {chain[i]}
  0 <= i && i <= added ==> number[chain[i]] == i && Map_Contains(nodes, One(chain[i])));
preserves (forall i: int :: {nodes->val[One(chain[i])]}
  0 <= i && i < added ==> nodes->val[One(chain[i])]->next == Some(chain[i + 1]));
preserves (forall i: int :: {nodes->val[One(chain[i])]}
  0 < i && i <= added ==> nodes->val[One(chain[i])]->item == items[i - 1]);
preserves nodes->val[One(chain[added])]->next == None();

// `loc` is in the chain, and stays there.
yield invariant {:layer 1} Linked(loc: Loc);
preserves InChain(chain, number, added, loc);

// `loc` is in the chain and has its successor, which never changes again.
yield invariant {:layer 1} Follows(loc: Loc, next: Loc);
preserves InChain(chain, number, added, loc);
preserves nodes->val[One(loc)]->next == Some(next);

// `head` was at `loc`, or is still there.
yield invariant {:layer 1} HeadReached(loc: Loc);
preserves InChain(chain, number, added, loc);
preserves number[loc] <= taken;

// `tail` has left `loc` behind.
yield invariant {:layer 1} TailPassed(loc: Loc);
preserves InChain(chain, number, added, loc);
preserves number[loc] < number[tail];

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} Enqueue(x: X)
refines atomic action {:layer 2} _
{
  items[added] := x;
  added := added + 1;
}
preserves call ListIsQueue();
{
  var last: Loc;
  var next: Option Loc;
  var new_loc: One Loc;
  var loc: Loc;
  var done: bool;

  while (true)
  invariant {:yields} true;
  invariant call ListIsQueue();
  {
    call last := ReadTail();
    call ListIsQueue() | Linked(last);
    call next := ReadNext(last);
    if (next is Some) {
      // Somebody linked a node and has not moved the tail yet: help.
      call ListIsQueue() | Follows(last, next->t);
      call MoveTail(last, next->t);
    } else {
      // Each attempt allocates its own node, which nobody else can see before it is linked.
      call new_loc := Loc_New();
      loc := new_loc->val;
      call Allocate(new_loc, QueueNode(None(), x));
      call done := Link(last, loc);
      if (done) {
        break;
      }
    }
  }
  call {:layer 1} chain := Copy(chain[added + 1 := loc]);
  call {:layer 1} number := Copy(number[loc := added + 1]);
  call {:layer 1} items := Copy(items[added := x]);
  call {:layer 1} added := Copy(added + 1);
  call ListIsQueue() | Follows(last, loc);
  call MoveTail(last, loc);
}

yield procedure {:layer 1} Dequeue() returns (result: Option X)
refines atomic action {:layer 2} _
{
  if (taken == added) {
    result := None();
  } else {
    result := Some(items[taken]);
    taken := taken + 1;
  }
}
preserves call ListIsQueue();
{
  var first, last: Loc;
  var next: Option Loc;
  var x: X;
  var done: bool;

  while (true)
  invariant {:yields} true;
  invariant call ListIsQueue();
  {
    call first := ReadHead();
    call ListIsQueue() | HeadReached(first);
    call last := ReadTail();
    if (first == last) {
      // Perhaps empty, perhaps the tail lags behind.
      call ListIsQueue() | HeadReached(first);
      call next := ReadNext(first);
      if (next is None) {
        result := None();
        return;
      }
      call ListIsQueue() | Follows(first, next->t);
      call MoveTail(first, next->t);
    } else {
      call ListIsQueue() | HeadReached(first) | TailPassed(first);
      call next := ReadNext(first);
      call ListIsQueue() | Follows(first, next->t) | TailPassed(first);
      call x := ReadItem(next->t);
      call done := SwapHead(first, next->t);
      if (done) {
        break;
      }
    }
  }
  result := Some(x);
  call {:layer 1} taken := Copy(taken + 1);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadHead() returns (loc: Loc);
refines atomic action {:layer 1} _
{
  loc := head;
}

yield procedure {:layer 0} ReadTail() returns (loc: Loc);
refines atomic action {:layer 1} _
{
  loc := tail;
}

yield procedure {:layer 0} ReadNext(loc: Loc) returns (next: Option Loc);
refines right action {:layer 1} _ //~ error[commutativity] "Link"
{
  call next := Path_Load(nodes->val[One(loc)]->next);
}

// A right mover: the item of a node does not change once it is in memory.
yield procedure {:layer 0} ReadItem(loc: Loc) returns (item: X);
refines right action {:layer 1} _
{
  call item := Path_Load(nodes->val[One(loc)]->item);
}

// A right mover: nobody else knows the fresh address.
yield procedure {:layer 0} Allocate({:linear_in} loc: One Loc, cell: QueueNode);
refines right action {:layer 1} _
{
  call Map_Put(nodes, loc, cell);
}

// Compare-and-swap on the link of the last node.
yield procedure {:layer 0} Link(last: Loc, loc: Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  var next: Option Loc;

  call next := Path_Load(nodes->val[One(last)]->next);
  done := next is None;
  if (done) {
    call Path_Store(nodes->val[One(last)]->next, Some(loc));
  }
}

yield procedure {:layer 0} MoveTail(expected: Loc, desired: Loc);
refines atomic action {:layer 1} _
{
  if (tail == expected) {
    tail := desired;
  }
}

yield procedure {:layer 0} SwapHead(expected: Loc, desired: Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := head == expected;
  if (done) {
    head := desired;
  }
}
