// Maps and permissions inside others, and a failure that does not come from them.
// verdict: errors

datatype Pair { Pair(a: One int, k: int) }

yield procedure {:layer 1} Field({:linear} p: Pair, {:linear} q: Pair)
{
  assert {:layer 1} p->k == q->k; //~ error[assertion]
}
