// The term in the pool is not a witness, and there is none.
// verdict: not-verified

procedure P(f: [int]bool, k: int)
requires !f[2 * k];
{
  assert {:add_to_pool "B", k} (exists {:pool "B"} i: int :: i == k && f[2 * i]);
}
