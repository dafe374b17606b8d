// Treiber's stack with a wrong mover: the read of `top` is declared a right mover, so that Push needs no yield after
// it. But a read cannot be delayed until after another thread's swap: it would see another node.

type X;

var {:layer 0,1} top: Option Loc;
var {:layer 0,1} {:linear} nodes: Map (One Loc) (Node X);
var {:layer 1,2} stack: Vec X;

// The list from `top` is in memory, ends, and holds the elements of the stack.
yield invariant {:layer 1} ListIsStack();
preserves top is None || Map_Contains(nodes, One(top->t));
preserves InDomain(nodes, top);
preserves stack == StackAbs(top, nodes);

// A node once reached stays in memory.
yield invariant {:layer 1} Allocated(loc: Loc);
preserves Map_Contains(nodes, One(loc));

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} Push(x: X)
refines atomic action {:layer 2} _
{
  stack := Vec_Append(stack, x);
}
preserves call ListIsStack();
{
  var seen: Option Loc;
  var done: bool;
  var new_loc: One Loc;
  var loc: Loc;
  var {:layer 1} before: Map (One Loc) (Node X);

  while (true)
  invariant {:yields} true;
  invariant call ListIsStack();
  {
    call seen := ReadTop();
    // Each attempt allocates its own node, which nobody else can see before the swap succeeds.
    call {:layer 1} before := Copy(nodes);
    call new_loc := Loc_New();
    loc := new_loc->val;
    call Allocate(new_loc, Node(seen, x));
    call {:layer 1} StackFrameLemma(top, before, nodes);
    call done := SwapTop(seen, Some(loc));
    if (done) {
      break;
    }
  }
  call {:layer 1} StackAbsLemma(top, nodes);
  call {:layer 1} stack := Copy(Vec_Append(stack, x));
}

yield procedure {:layer 1} Pop() returns (result: Option X)
refines atomic action {:layer 2} _
{
  if (Vec_Len(stack) == 0) {
    result := None();
  } else {
    result := Some(Vec_Nth(stack, Vec_Len(stack) - 1));
    stack := Vec_Remove(stack);
  }
}
preserves call ListIsStack();
{
  var seen: Option Loc;
  var node: Node X;
  var done: bool;

  while (true)
  invariant {:yields} true;
  invariant call ListIsStack();
  {
    call {:layer 1} StackAbsLemma(top, nodes);
    call seen := ReadTop();
    if (seen is None) {
      result := None();
      return;
    }
    call ListIsStack() | Allocated(seen->t);
    call {:layer 1} StackAbsLemma(top, nodes);
    call node := ReadNode(seen->t);
    call done := SwapTop(seen, node->next);
    if (done) {
      break;
    }
  }
  result := Some(node->val);
  call {:layer 1} stack := Copy(Vec_Remove(stack));
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadTop() returns (seen: Option Loc);
refines right action {:layer 1} _ //~ error[commutativity] "SwapTop"
{
  seen := top;
}

// A right mover: a node does not change once it is in memory.
yield procedure {:layer 0} ReadNode(loc: Loc) returns (node: Node X);
refines right action {:layer 1} _
{
  call node := Path_Load(nodes->val[One(loc)]);
}

// A right mover: nobody else knows the fresh address.
yield procedure {:layer 0} Allocate({:linear_in} loc: One Loc, node: Node X);
refines right action {:layer 1} _
{
  call Map_Put(nodes, loc, node);
}

yield procedure {:layer 0} SwapTop(expected: Option Loc, desired: Option Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := top == expected;
  if (done) {
    top := desired;
  }
}
