// Permissions in a ghost map of one layer, and a pool at another.
// favour: local_layer, leaf
type Tid;
var {:layer 0,1} {:linear} pool: UnitMap (One Tid);
yield invariant {:layer 2} Any(); preserves true;
yield procedure {:layer 1} Nop() { }
yield procedure {:layer 2} Keep({:layer 2} {:linear_in} m: UnitMap (One Tid), {:layer 2} t: One Tid, {:linear} u: One Tid)
requires {:layer 2} Set_Contains(m->dom, t);
{
  var {:layer 2} n: UnitMap (One Tid);
  n := m;
  call {:layer 2} One_Get(n, t);
  call Nop();
  assert {:layer 1} !Set_Contains(pool->dom, u);
}
