// Leader election on a ring that starts one node too many.

const n: int;                        // nodes are numbered 0 .. n - 1
axiom 0 < n;

function Strength(node: int): int;
axiom (forall i: int, j: int :: 0 <= i && i < j && j < n ==> Strength(i) != Strength(j));

var {:layer 0,1} arrived: [int][int]bool; // arrived[name][node]: the name has been received by the node
var {:layer 0,1} leader: Option int;

function {:inline} IsNode(i: int): bool
{
  0 <= i && i < n
}

function {:inline} Next(i: int): int
{
  if i + 1 < n then i + 1 else 0
}

// On its way from `from` to `to` a name has passed node `i`. Coming home it has passed all others.
function {:inline} Passed(from: int, i: int, to: int): bool
{
  if from < to then from < i && i < to else from < i || i < to
}

yield invariant {:layer 1} WeakNodesPassed();
preserves (forall name: int, i: int, node: int :: {arrived[name][node], Strength(i)}
  IsNode(name) && IsNode(i) && IsNode(node) && arrived[name][node] && Passed(name, i, node) ==> Strength(i) < Strength(name));

yield invariant {:layer 1} LeaderIsStrongest();
preserves leader is Some ==> IsNode(leader->t);
preserves leader is Some ==> (forall i: int :: IsNode(i) && i != leader->t ==> Strength(i) < Strength(leader->t));

// What has arrived stays.
yield invariant {:layer 1} Arrived(name: int, node: int);
preserves arrived[name][node];

yield procedure {:layer 1} Elect()
preserves call WeakNodesPassed();
preserves call LeaderIsStrongest();
{
  var i: int;

  i := 0;
  while (i <= n)    // should be <
  invariant {:layer 1} 0 <= i;
  {
    async call Node(i); //~ error[precondition] "Node"
    i := i + 1;
  }
}

yield procedure {:layer 1} Node(i: int)
requires {:layer 1} IsNode(i);
preserves call WeakNodesPassed();
preserves call LeaderIsStrongest();
{
  var name: int;

  call Send(i, Next(i));
  while (true)
  invariant {:yields} true;
  invariant call WeakNodesPassed();
  invariant call LeaderIsStrongest();
  {
    call name := Receive(i);
    call WeakNodesPassed() | LeaderIsStrongest() | Arrived(name, i);
    if (name == i) {
      call Lead(i);
    } else if (IsNode(name) && Strength(i) < Strength(name)) {
      call Send(name, Next(i));
    }
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Send(name: int, node: int);
refines atomic action {:layer 1} _
{
  arrived[name][node] := true;
}

yield procedure {:layer 0} Receive(node: int) returns (name: int);
refines atomic action {:layer 1} _
{
  assume arrived[name][node];
}

// There is one leader only.
yield procedure {:layer 0} Lead(i: int);
refines atomic action {:layer 1} _
{
  assert leader is None || leader == Some(i);
  leader := Some(i);
}
