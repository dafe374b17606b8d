// Right programs with the same quantifiers, libraries and lambdas: no run may be confirmed.
// verdict: verified

type Tid;

procedure Length(v: Vec int)
{
  assert Vec_Len(v) >= 0;
}

procedure Outside(v: Vec int, i: int)
  requires i >= Vec_Len(v);
{
  assert Vec_Nth(Vec_Append(v, 1), i + 1) == Default();
}

procedure Interval(x: int)
  requires x >= 5;
{
  assert Set_IsSubset(Range(0, 5), Range(0, x));
}

procedure Chosen(s: [int]bool)
  requires s[1];
{
  assert s[Choice(s)];
}

procedure OnlyOne(s: [Tid]bool, x: Tid, y: Tid)
  requires (forall z: Tid :: s[z] ==> z == x);
{
  assert s[y] ==> x == y;
}

procedure Sorted(m: [int]int, n: int)
  requires n > 2;
  requires (forall i, j: int :: 0 <= i && i < j && j < n ==> m[i] <= m[j]);
{
  assert m[0] <= m[1];
}
