// What linearity promises of maps and permissions holds inside fields and values of maps as well.
// verdict: errors
// candidates

datatype Pair { Pair(m: Map (One int) int, k: int) }

yield procedure {:layer 1} Field({:linear} p: Pair)
{
  assert {:layer 1} Set_Contains(p->m->dom, One(3)) || p->m->val[One(3)] == Default(); //~ error[assertion]
}

yield procedure {:layer 1} Twice({:linear} p: Map (One int) (Map (One bool) int))
{
  assert {:layer 1} p->dom[One(1)] && p->dom[One(2)] && p->val[One(1)]->dom[One(true)] //~ error[assertion]
    ==> !p->val[One(2)]->dom[One(true)];
}
