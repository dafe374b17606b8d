// A run may pass an assertion that is not assumed afterwards, though it fails.
// verdict: errors

procedure P(x: int)
{
  assert {:subsumption 0} x > 0; //~ error[assertion]
  assume x < 0;
  assert x > 1; //~ error[assertion]
}
