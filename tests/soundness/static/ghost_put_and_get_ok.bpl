// verdict: verified
// CORRECT: a ghost map of layer 1 in a procedure of layer 2 takes a permission and gives it back.
type Tid;
yield invariant {:layer 2} Y(); preserves true;
yield procedure {:layer 2} P({:linear_in} q: One Tid)
{
  var {:layer 1} m: UnitMap (One Tid);
  var a: One Tid;
  a := q;
  call {:layer 1} m := Map_MakeEmpty();
  call {:layer 1} One_Put(m, a);
  call {:layer 1} One_Get(m, a);
  call Y();
  assert {:layer 2} a == q;
}
