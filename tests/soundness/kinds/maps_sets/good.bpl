// Sets, maps and vectors of the library.
// verdict: verified

var {:layer 0,1} unused: int;   // makes this a program that uses the library

procedure Sets(a: [int]bool, b: [int]bool, x: int)
requires Set_IsSubset(a, b);
requires Set_Contains(a, x);
{
  assert Set_Contains(b, x);
  assert Set_IsSubset(Set_Empty(), a);
  assert Set_Contains(Set_Union(a, b), x);
  assert Set_Difference(a, b) == Set_Empty();
  assert Set_Intersection(a, b) == a;
  assert !Set_Contains(Set_Remove(a, x), x);
  assert Set_Add(a, x) == a;
  assert Set_Singleton(x) == Set_Add(Set_Empty(), x);
}

procedure Choose(a: [int]bool)
requires a != Set_Empty();
{
  assert Set_Contains(a, Choice(a));
}

procedure Maps(m: Map int int, k: int, v: int)
{
  assert Map_At(Map_Update(m, k, v), k) == v;
  assert Map_Contains(Map_Update(m, k, v), k);
  assert !Map_Contains(Map_Remove(m, k), k);
  assert (forall j: int :: j != k ==> Map_At(Map_Update(m, k, v), j) == Map_At(m, j));
  assert Map_WellFormed(m) ==> Map_WellFormed(Map_Update(m, k, v));
  assert Map_IsDisjoint(m, Map_Empty());
}

procedure Vectors(v: Vec int, x: int)
{
  assert Vec_Len(Vec_Append(v, x)) == Vec_Len(v) + 1;
  assert Vec_Nth(Vec_Append(v, x), Vec_Len(v)) == x;
  assert Vec_Remove(Vec_Append(v, x)) == v;
  assert Vec_Len(Vec_Empty(): Vec int) == 0;
}

procedure Intervals(n: int)
requires 3 <= n;
{
  assert Range(0, n)[2];
  assert !Range(0, n)[n];
  assert AtLeast(5)[5];
}

procedure Pointwise(f: [int]int)
{
  assert MapAdd(f, MapConst(1))[7] == f[7] + 1;
  assert MapIte(MapConst(true), f, MapConst(0)) == f;
}
