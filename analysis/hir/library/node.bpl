// The library `node`: linked lists in memory.
//
// A list is a set of addresses, each with a node that has a value and perhaps a next address. The library
// says which addresses are reachable from which, how one store changes that, and relates a list to the
// stack, set or queue it stands for. Ask for it with `--lib node`.

// A list cell.
datatype Node<T> { Node(next: Option Loc, val: T) }

//---------------------------------------------------------------------------------------------------------
// Reachability
//---------------------------------------------------------------------------------------------------------

// Following `next` in `f` from `x` one meets `y`, and from there `z`, and `y` comes not after the first `z`.
function Between<T>(f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc): bool;

// Following `next` in `f` from `x` one meets `y` without passing `z` before.
function Avoiding<T>(f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc): bool;

// The addresses met from `x` up to and including `z`.
function {:inline} BetweenSet<T>(f: [One Loc]Node T, x: Option Loc, z: Option Loc): [Loc]bool
{
  (lambda m: Loc :: Between(f, x, Some(m), z))
}

// Every address reaches itself.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc :: Between(h, a, a, a));

// Every address reaches its successor.
axiom (forall<E> h: [One Loc]Node E, l: Loc ::
  {h[One(l)]}
  Between(h, Some(l), h[One(l)]->next, h[One(l)]->next));

// What an address reaches, other than itself, its successor reaches.
axiom (forall<E> h: [One Loc]Node E, l: Loc, b: Option Loc ::
  {h[One(l)], Between(h, Some(l), b, b)}
  Between(h, Some(l), b, b) ==> Some(l) == b || Between(h, Some(l), h[One(l)]->next, b));

// An address that is its own successor reaches nothing else.
axiom (forall<E> h: [One Loc]Node E, l: Loc, b: Option Loc ::
  {h[One(l)], Between(h, Some(l), b, b)}
  h[One(l)]->next == Some(l) && Between(h, Some(l), b, b) ==> Some(l) == b);

// Nothing but the address itself lies between an address and itself.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc ::
  {Between(h, a, b, a)}
  Between(h, a, b, a) ==> a == b);

// Of two reachable addresses one comes first.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc ::
  {Between(h, a, b, b), Between(h, a, c, c)}
  Between(h, a, b, b) && Between(h, a, c, c) ==> Between(h, a, b, c) || Between(h, a, c, b));

// "Between" implies that both halves of the way exist.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc ::
  {Between(h, a, b, c)}
  Between(h, a, b, c) ==> Between(h, a, b, b) && Between(h, b, c, c));

// Reachability composes.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc ::
  {Between(h, a, b, b), Between(h, b, c, c)}
  Between(h, a, b, b) && Between(h, b, c, c) ==> Between(h, a, c, c));

// A point of the second half of a way lies on the whole way, behind the middle.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc, m: Option Loc ::
  {Between(h, a, b, c), Between(h, b, m, c)}
  Between(h, a, b, c) && Between(h, b, m, c) ==> Between(h, a, b, m) && Between(h, a, m, c));

// A point of the first half of a way lies on the whole way, before the middle.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc, m: Option Loc ::
  {Between(h, a, b, c), Between(h, a, m, b)}
  Between(h, a, b, c) && Between(h, a, m, b) ==> Between(h, a, m, c) && Between(h, m, b, c));

// The start lies on every way that starts there. The first axiom has no trigger that would find this instance.
axiom (forall<E> h: [One Loc]Node E, s: Option Loc, a: Option Loc ::
  {Between(h, s, a, a)}
  Between(h, s, a, a) ==> Between(h, s, s, a));

// The two relations in terms of each other.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc ::
  {Avoiding(h, a, b, c)}
  Avoiding(h, a, b, c) <==> Between(h, a, b, c) || (Between(h, a, b, b) && !Between(h, a, c, c)));
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc ::
  {Between(h, a, b, c)}
  Between(h, a, b, c) <==> Avoiding(h, a, b, c) && Avoiding(h, a, c, c));

// One store: a way in the new heap either does not pass the changed address, or does and continues at the
// successor stored there.
axiom (forall<E> h: [One Loc]Node E, a: Option Loc, b: Option Loc, c: Option Loc, l: Loc, n: Node E ::
  {Avoiding(h[One(l) := n], a, b, c)}
  Avoiding(h[One(l) := n], a, b, c) <==>
    (Avoiding(h, a, b, Some(l)) && Avoiding(h, a, b, c)) ||
    (Avoiding(h, a, Some(l), c) && Some(l) != c && Avoiding(h, n->next, b, Some(l)) && Avoiding(h, n->next, b, c)));

// The list from `start` ends, and all its addresses are keys of `nodes`.
function {:inline} InDomain<V>(nodes: Map (One Loc) (Node V), start: Option Loc): bool
{
  Between(nodes->val, start, start, None()) &&
  (forall l: Loc :: Between(nodes->val, start, Some(l), None()) ==> Set_Contains(nodes->dom, One(l)))
}

//---------------------------------------------------------------------------------------------------------
// What a list stands for. The functions are not defined by axioms, which the solver would unfold without
// end: call the first lemma of a group to unfold one step, the second to show that memory outside the list
// does not matter. The lemmas are declared, not proved, here.
//---------------------------------------------------------------------------------------------------------

// The list from `start` as a stack: its first node is the last element of the vector.
function StackAbs<V>(start: Option Loc, nodes: Map (One Loc) (Node V)): Vec V;

// One step of `StackAbs`.
function {:inline} StackAbsDef<V>(start: Option Loc, nodes: Map (One Loc) (Node V)): Vec V
{
  if start == None()
  then Vec_Empty()
  else (var top := Map_At(nodes, One(start->t)); Vec_Append(StackAbs(top->next, nodes), top->val))
}

// Unfolds `StackAbs` once.
pure procedure StackAbsLemma<V>(start: Option Loc, nodes: Map (One Loc) (Node V));
requires Between(nodes->val, start, start, None());
requires InDomain(nodes, start);
ensures StackAbs(start, nodes) == StackAbsDef(start, nodes);

// A stack is the same in every memory that has its nodes.
pure procedure StackFrameLemma<V>(start: Option Loc, nodes: Map (One Loc) (Node V), nodes': Map (One Loc) (Node V));
requires Set_IsSubset(nodes->dom, nodes'->dom);
requires MapIte(nodes->dom, nodes->val, MapConst(Default())) == MapIte(nodes->dom, nodes'->val, MapConst(Default()));
requires Between(nodes->val, start, start, None());
requires InDomain(nodes, start);
ensures StackAbs(start, nodes) == StackAbs(start, nodes');

// The values in the list from `start`, as a set.
function SetAbs<V>(start: Option Loc, nodes: Map (One Loc) (Node V)): [V]bool;

// One step of `SetAbs`.
function {:inline} SetAbsDef<V>(start: Option Loc, nodes: Map (One Loc) (Node V)): [V]bool
{
  if start == None()
  then Set_Empty()
  else (var first := Map_At(nodes, One(start->t)); Set_Add(SetAbs(first->next, nodes), first->val))
}

// Unfolds `SetAbs` once.
pure procedure SetAbsLemma<V>(start: Option Loc, nodes: Map (One Loc) (Node V));
requires Between(nodes->val, start, start, None());
requires InDomain(nodes, start);
ensures SetAbs(start, nodes) == SetAbsDef(start, nodes);

// A set is the same in every memory that has its nodes.
pure procedure SetFrameLemma<V>(start: Option Loc, nodes: Map (One Loc) (Node V), nodes': Map (One Loc) (Node V));
requires Set_IsSubset(nodes->dom, nodes'->dom);
requires MapIte(nodes->dom, nodes->val, MapConst(Default())) == MapIte(nodes->dom, nodes'->val, MapConst(Default()));
requires Between(nodes->val, start, start, None());
requires InDomain(nodes, start);
ensures SetAbs(start, nodes) == SetAbs(start, nodes');

// The vector `in_queue` followed by the values of the list from `start`, first node first.
function QueueAbs<V>(in_queue: Vec V, start: Option Loc, nodes: Map (One Loc) (Node V)): Vec V;

// One step of `QueueAbs`.
function {:inline} QueueAbsDef<V>(in_queue: Vec V, start: Option Loc, nodes: Map (One Loc) (Node V)): Vec V
{
  if start == None()
  then in_queue
  else (var first := Map_At(nodes, One(start->t)); QueueAbs(Vec_Append(in_queue, first->val), first->next, nodes))
}

// Unfolds `QueueAbs` once.
pure procedure QueueAbsLemma<V>(in_queue: Vec V, start: Option Loc, nodes: Map (One Loc) (Node V));
requires Between(nodes->val, start, start, None());
requires InDomain(nodes, start);
ensures QueueAbs(in_queue, start, nodes) == QueueAbsDef(in_queue, start, nodes);

// A queue is the same in every memory that has its nodes.
pure procedure QueueFrameLemma<V>(in_queue: Vec V, start: Option Loc, nodes: Map (One Loc) (Node V), nodes': Map (One Loc) (Node V));
requires Set_IsSubset(nodes->dom, nodes'->dom);
requires MapIte(nodes->dom, nodes->val, MapConst(Default())) == MapIte(nodes->dom, nodes'->val, MapConst(Default()));
requires Between(nodes->val, start, start, None());
requires InDomain(nodes, start);
ensures QueueAbs(in_queue, start, nodes) == QueueAbs(in_queue, start, nodes');
