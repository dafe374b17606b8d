// The parameter is part of the action, which hands the permission out.
// verdict: verified

type Tid;
var {:layer 0,1} {:linear} pool: UnitMap (One Tid);

yield procedure {:layer 0} Take({:linear_out} p: One Tid);
refines right action {:layer 1} _
{
  assume Set_Contains(pool->dom, p);
  call One_Get(pool, p);
}

yield invariant {:layer 1} Others(); preserves true;

yield procedure {:layer 1} P({:hide} {:linear_out} p: One Tid)
{
  call Take(p);
  call Others();
  assert {:layer 1} !Set_Contains(pool->dom, p);
}
