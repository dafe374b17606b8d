// The solver gives up, and its values break what is assumed of a set and a map, a function, or a vector.
// With others there is a run.
// verdict: errors

const End: int;
axiom 0 < End;

procedure InMap(next: [int]int, set: [int]bool, k: int)
  requires set[0];
  requires (forall i: int :: {next[i]} set[i] ==> i < next[i] && (next[i] == End || set[next[i]]));
  requires (forall i, b: int :: {next[i], set[b]} set[i] && i < b && b < next[i] ==> !set[b]);
  requires 0 < k && k < End;
{
  assert set[k]; //~ error[assertion]
}

function Next(k: int): int;

procedure InFunction(set: [int]bool, k: int)
  requires set[0];
  requires (forall i: int :: {Next(i)} set[i] ==> i < Next(i) && (Next(i) == End || set[Next(i)]));
  requires (forall i, b: int :: {Next(i), set[b]} set[i] && i < b && b < Next(i) ==> !set[b]);
  requires 0 < k && k < End;
{
  assert set[k]; //~ error[assertion]
}

procedure InVector(v: Vec int, set: [int]bool, k: int)
  requires set[0] && 0 < k && k < Vec_Len(v);
  requires (forall i: int :: {Vec_Nth(v, i)} set[i] ==> Vec_Contains(v, i) && i < Vec_Nth(v, i)
    && (Vec_Nth(v, i) == Vec_Len(v) || set[Vec_Nth(v, i)]));
  requires (forall i, b: int :: {Vec_Nth(v, i), set[b]} set[i] && i < b && b < Vec_Nth(v, i) ==> !set[b]);
{
  assert set[k]; //~ error[assertion]
}
