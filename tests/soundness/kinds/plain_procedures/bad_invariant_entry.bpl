// The invariant does not hold for an empty array.
// verdict: errors

procedure P(n: int)
requires 0 <= n;
{
  var i: int;

  i := 0;
  while (i < n)
  invariant i < n; //~ error[loop-invariant] error[loop-invariant]
  {
    i := i + 1;
  }
}
