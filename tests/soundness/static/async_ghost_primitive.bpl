// A primitive that changes a ghost map is a write too: the child finds the permission gone.
// verdict: errors

type Tid;
var {:layer 1} {:linear} pool: UnitMap (One Tid);

yield invariant {:layer 1} In(t: One Tid); preserves Set_Contains(pool->dom, t);

yield procedure {:layer 1} Child({:layer 1} t: One Tid)
requires call In(t);
{
  assert {:layer 1} Set_Contains(pool->dom, t);
}

yield procedure {:layer 1} P({:layer 1} {:linear_out} t: One Tid)
requires call In(t);
{
  async call Child(t);
  call {:layer 1} One_Get(pool, t); //~ error[async-sufficiency]
}
