// explore: violation
// mode: trace
// scope: threads=3 calls=1 X=1
//
// `../treiber_stack.bpl`, except that Pop writes `top` without comparing: two calls may take the same item.

type X;

datatype StackNode { StackNode(next: Option Loc, item: X) }

var {:layer 0,1} top: Option Loc;
var {:layer 0,1} {:linear} nodes: Map (One Loc) StackNode;
var {:layer 1,2} stack: Vec X;

atomic action {:layer 1} {:explore.init} {:explore.scope "X", 2} EmptyList()
{
  top := None();
  call nodes := Map_MakeEmpty();
}

atomic action {:layer 2} {:explore.init} EmptyStack()
{
  stack := Vec_Empty();
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Push(x: X)
refines atomic action {:layer 2} _
{
  stack := Vec_Append(stack, x);
}
{
  var node, seen: Option Loc;
  var done: bool;

  seen := None();
  done := false;
  call node := Allocate(StackNode(None(), x));
  while (!done)
  invariant {:yields} true;
  {
    call seen := ReadTop();
    call Others();
    call WriteNext(node, seen);
    call Others();
    call done := SwapTop(seen, node);
  }
}

yield procedure {:layer 1} {:explore.root} Pop() returns (result: Option X)
refines atomic action {:layer 2} _
{
  if (Vec_Len(stack) == 0) {
    result := None();
  } else {
    result := Some(Vec_Nth(stack, Vec_Len(stack) - 1));
    stack := Vec_Remove(stack);
  }
}
{
  var seen, next: Option Loc;
  var done: bool;
  var x: X;

  seen := None();
  next := None();
  done := false;
  while (!done)
  invariant {:yields} true;
  {
    call seen := ReadTop();
    if (seen is None) {
      result := None();
      return;
    }
    call Others();
    call next := ReadNext(seen);
    call Others();
    call WriteTop(next);
    done := true;
  }
  call x := ReadItem(seen);
  result := Some(x);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadTop() returns (seen: Option Loc);
refines atomic action {:layer 1} _
{
  seen := top;
}

yield procedure {:layer 0} ReadNext(node: Option Loc) returns (next: Option Loc);
refines atomic action {:layer 1} _
{
  assert node is Some;
  call next := Path_Load(nodes->val[One(node->t)]->next);
}

// A right mover: the item of a node never changes.
yield procedure {:layer 0} ReadItem(node: Option Loc) returns (x: X);
refines right action {:layer 1} _
{
  assert node is Some;
  call x := Path_Load(nodes->val[One(node->t)]->item);
}

yield procedure {:layer 0} WriteNext(node: Option Loc, next: Option Loc);
refines atomic action {:layer 1} _
{
  assert node is Some;
  call Path_Store(nodes->val[One(node->t)]->next, next);
}

// A right mover: nobody else knows the fresh address.
yield procedure {:layer 0} Allocate(cell: StackNode) returns (node: Option Loc);
refines right action {:layer 1} _
{
  var fresh: One Loc;

  call fresh := Loc_New();
  node := Some(fresh->val);
  call Map_Put(nodes, fresh, cell);
}

yield procedure {:layer 0} WriteTop(desired: Option Loc);
refines atomic action {:layer 1} _
{
  top := desired;
}

yield procedure {:layer 0} SwapTop(expected: Option Loc, desired: Option Loc) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := top == expected;
  if (done) {
    top := desired;
  }
}
