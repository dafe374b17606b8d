// The fact is used at a term that says nothing about the goal.
// verdict: not-verified

procedure P(f: [int]bool, k: int)
requires (forall {:pool "C"} i: int :: f[2 * i]);
{
  assume {:add_to_pool "C", k} true;
  assert f[2 * k + 1];
}
