// One index is left out of what is known.
// verdict: not-verified

procedure P(f: [int]bool)
requires (forall {:pool "D"} i: int :: i != 3 ==> f[i]);
{
  assert (forall {:pool "D"} i: int :: {:add_to_pool "D", i} f[i]);
}
