// The same shapes, and right: whoever is not the first in a list stands behind another. It takes an induction to see,
// so that the solver has candidates, and no change of their values may make one a run.
// verdict: unknown

const End: int;
axiom 0 < End;

procedure InMap(next: [int]int, set: [int]bool, k: int)
  requires set[0];
  requires (forall i: int :: {next[i]} set[i] ==> i < next[i] && (next[i] == End || set[next[i]]));
  requires (forall i, b: int :: {next[i], set[b]} set[i] && i < b && b < next[i] ==> !set[b]);
  requires 0 < k && k < End && set[k];
{
  assert (exists i: int :: {next[i]} set[i] && next[i] == k);
}

function Next(k: int): int;

procedure InFunction(set: [int]bool, k: int)
  requires set[0];
  requires (forall i: int :: {Next(i)} set[i] ==> i < Next(i) && (Next(i) == End || set[Next(i)]));
  requires (forall i, b: int :: {Next(i), set[b]} set[i] && i < b && b < Next(i) ==> !set[b]);
  requires 0 < k && k < End && set[k];
{
  assert (exists i: int :: {Next(i)} set[i] && Next(i) == k);
}

procedure InVector(v: Vec int, set: [int]bool, k: int)
  requires set[0] && 0 < k && k < Vec_Len(v) && set[k];
  requires (forall i: int :: {Vec_Nth(v, i)} set[i] ==> Vec_Contains(v, i) && i < Vec_Nth(v, i)
    && (Vec_Nth(v, i) == Vec_Len(v) || set[Vec_Nth(v, i)]));
  requires (forall i, b: int :: {Vec_Nth(v, i), set[b]} set[i] && i < b && b < Vec_Nth(v, i) ==> !set[b]);
{
  assert (exists i: int :: {Vec_Nth(v, i)} set[i] && Vec_Nth(v, i) == k);
}

procedure Rising(m: [int]int, n: int)
  requires (forall i: int :: 0 <= i ==> m[i] < m[i + 1]);
  requires 0 <= n;
{
  assert m[0] + n <= m[n];
}

procedure RisingVector(v: Vec int, k: int)
  requires (forall i: int :: 0 <= i && i + 1 < Vec_Len(v) ==> Vec_Nth(v, i) < Vec_Nth(v, i + 1));
  requires Vec_Contains(v, k);
{
  assert Vec_Nth(v, 0) + k <= Vec_Nth(v, k);
}

procedure Closed(set: [int]bool, n: int)
  requires set[0] && 0 <= n;
  requires (forall i: int :: set[i] ==> set[i + 1]);
{
  assert set[n];
}
