// What the caller holds and no arm takes is held all the time.
// verdict: verified
type Tid;
var {:layer 0,1} {:linear} pool: UnitMap (One Tid);
yield procedure {:layer 0} Give({:linear_in} a: One Tid);
refines left action {:layer 1} _ { call One_Put(pool, a); }
yield procedure {:layer 1} Nop({:linear} c: One Tid) { }
yield procedure {:layer 1} P({:linear_in} a: One Tid, {:linear} b: One Tid, {:linear} c: One Tid)
{
  call Give(a) | Nop(b) | Nop(c);
  assert {:layer 1} !Set_Contains(pool->dom, b) && !Set_Contains(pool->dom, c) && b != c;
}
