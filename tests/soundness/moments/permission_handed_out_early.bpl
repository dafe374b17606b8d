// A result of a later arm is not held while an earlier arm waits. Run: pool holds p; P waits in Nop, where p is still in pool.
// verdict: errors
type Tid;
var {:layer 0,1} {:linear} pool: UnitMap (One Tid);
yield procedure {:layer 0} Take() returns ({:linear} p: One Tid);
refines right action {:layer 1} _ { assume Set_Contains(pool->dom, p); call One_Get(pool, p); }
yield procedure {:layer 1} Nop() { }
yield procedure {:layer 1} P() returns ({:linear} p: One Tid)
{
  call Nop() | p := Take();
  assert {:layer 1} false; //~ error[assertion]
}
