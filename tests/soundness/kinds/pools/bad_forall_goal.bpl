// One index is left out of what is known.
// verdict: errors

procedure P(f: [int]bool)
requires (forall {:pool "D"} i: int :: i != 3 ==> f[i]);
{
  assert (forall {:pool "D"} i: int :: {:add_to_pool "D", i} f[i]); //~ error[assertion]
}
