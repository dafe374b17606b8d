// Maps and permissions inside others, and a failure that does not come from them.
// verdict: errors

datatype Pair { Pair(a: One int, k: int) }

yield procedure {:layer 1} Field({:linear} p: Pair, {:linear} q: Pair)
{
  assert {:layer 1} p->k == q->k; //~ error[assertion]
}

yield procedure {:layer 1} Taken({:linear_in} p: Map (One int) (Map (One bool) int), k: int)
{
  var {:linear} q: Map (One int) (Map (One bool) int);
  var {:linear} v: Map (One bool) int;
  var key: One int;
  q := p;
  key := One(k);
  assume Map_Contains(q, key);
  call v := Map_Get(q, key);
  assert {:layer 1} Set_Contains(v->dom, One(true)); //~ error[assertion]
}
