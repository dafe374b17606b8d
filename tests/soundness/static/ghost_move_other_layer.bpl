// `Move` at layer 2 makes `t` a permission at layer 2 only. At layer 1 the pool may hold it.
// verdict: errors

type Tid;
var {:layer 0,1} {:linear} pool: UnitMap (One Tid);

yield procedure {:layer 1} Nop() { }

yield procedure {:layer 2} P({:layer 2} {:linear_in} s: One Tid, t: One Tid)
requires {:layer 2} s == t;
{
  call {:layer 2} Move(s, t);
  call Nop();
  assert {:layer 1} !Set_Contains(pool->dom, t); //~ error[assertion]
}
