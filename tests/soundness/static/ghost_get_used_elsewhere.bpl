// What was received at layer 2 only is given away at all layers.
// verdict: errors

type Tid;

yield procedure {:layer 0} Use({:linear_in} t: One Tid);

yield procedure {:layer 2} P({:layer 2} {:linear_in} m: UnitMap (One Tid), t: One Tid)
requires {:layer 2} Set_Contains(m->dom, t);
{
  var {:layer 2} n: UnitMap (One Tid);
  n := m;
  call {:layer 2} One_Get(n, t);
  call Use(t); //~ error[linear-unavailable]
}
