// verdict: verified
// Right twin: what is taken out at layer 2 exists at layer 2 only, and the assertion is about a pool of layer 2.
type Tid;
var {:layer 0,2} {:linear} pool: UnitMap (One Tid);
yield procedure {:layer 1} Nop() { }
yield procedure {:layer 2} P({:layer 2} {:linear_in} m: UnitMap (One Tid), {:layer 2} t: One Tid)
requires {:layer 2} Set_Contains(m->dom, t);
{
  var {:layer 2} n: UnitMap (One Tid);
  n := m;
  call {:layer 2} One_Get(n, t);
  call Nop();
  assert {:layer 2} !Set_Contains(pool->dom, t);
}
