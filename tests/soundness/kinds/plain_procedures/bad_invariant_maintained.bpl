// The sum grows by more than one.
// verdict: errors

procedure P(n: int)
requires 0 <= n;
{
  var i, s: int;

  i := 0;
  s := 0;
  while (i < n)
  invariant s == i; //~ error[loop-invariant]
  {
    i := i + 1;
    s := s + i;
  }
}
