// A ghost map takes a permission and gives it back.
// favour: call_layers, layer
type Tid;
yield invariant {:layer 2} Any(); preserves true;
yield procedure {:layer 2} Box({:linear_in} q: One Tid)
{
  var {:layer 2} m: UnitMap (One Tid);
  var a: One Tid;
  a := q;
  call {:layer 2} m := Map_MakeEmpty();
  call {:layer 2} One_Put(m, a);
  call {:layer 2} One_Get(m, a);
  call Any();
  assert {:layer 2} a == q;
}
