// expect: refused
// VERIFIED by civl --strict (binary of 16:51, run at 17:06), but WRONG: the gate of Chk can fail. The left mover New hides that failure, and the check that it does not ("a failure of Chk survives New") is passed by a
// run of New that does not exist: obligations/src/kind/failure_preservation.rs assume_afterwards: wp(New, gate of Chk) ranges over ALL locations that Loc_New might choose, also those that `all` holds. It proves
//   (forall l :: l not in all)  ==>  last[k] not in all.  But New returns a fresh location only: l is not in all, and then Chk never fails after New, though it failed before.
// Run: all = {L0}, last[5] = L1, not in all. P(One(5), L0): Set: last[5] = L0. R(5) (its precondition held when it started): Chk(5): gate fails, L0 is in all. P would have gone on: New: last[5] = fresh.
// R and P refine nothing, so no gate may fail in any run. In a cooperative run [Set; New] is one transaction and Chk never sees L0.
// Rule: failure_preservation.rs (and nonblocking.rs): the choices of a primitive that makes something new are restricted to what nobody holds: not in the linear globals of the frame and not held by the other action's
// thread. (Relation to c04, now in the list of faith: there nothing fresh exists; here something fresh exists.) Same for Tag_New, Tags_New. Reference: the same hole. See c08b for commutativity.
var {:layer 0,1} {:linear} all: UnitMap (One Loc);
var {:layer 0,1} last: [int]Loc;
yield procedure {:layer 0} New({:linear} t: One int) returns ({:linear} l: One Loc);
refines left action {:layer 1} _ { call l := Loc_New(); last[t->val] := l->val; }
yield procedure {:layer 0} Set({:linear} t: One int, v: Loc);
refines atomic action {:layer 1} _ { last[t->val] := v; }
yield procedure {:layer 0} Chk(k: int);
refines atomic action {:layer 1} _ { assert !Set_Contains(all->dom, One(last[k])); }
yield invariant {:layer 1} Inv(k: int);
preserves !Set_Contains(all->dom, One(last[k]));
yield procedure {:layer 1} R(k: int)
requires call Inv(k);
{
  call Chk(k);
}
yield procedure {:layer 1} P({:linear} t: One int, v: Loc)
{
  var l: One Loc;
  var i: int;
  call Set(t, v);
  call l := New(t);
  i := 0;
  while (i < 1)                   // only to make the proof look at permissions once more
  invariant {:layer 1} i <= 1;
  { i := i + 1; }
}
