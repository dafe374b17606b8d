// Datatypes, maps, sets.
datatype Pair { Pair(a: int, b: bool), Empty() }
procedure Swap(p: Pair) returns (q: Pair)
requires p is Pair;
ensures q is Pair && q->a == p->a;
{
  q := p;
  q->b := !p->b;
}
procedure Put(m: [bool]int, k: bool) returns (n: [bool]int)
ensures n == m[k := 1];
ensures (forall j: bool :: j != k ==> n[j] == m[j]);
{
  n := m;
  n[k] := 1;
}
procedure Sets(s: [bool]bool, b: bool) returns (t: [bool]bool)
ensures Set_Contains(t, b);
ensures Set_IsSubset(s, t);
{
  t := Set_Add(s, b);
}
