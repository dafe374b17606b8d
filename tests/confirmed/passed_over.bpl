// `Q` is wrong whatever the attribute means; but where something is passed over, no run is confirmed.
// verdict: errors
// candidates

procedure P(x: int)
{
  assert {:verified_under x < 3} x > 2;
}

procedure Q(x: int)
{
  assert x > 0; //~ error[assertion]
}
