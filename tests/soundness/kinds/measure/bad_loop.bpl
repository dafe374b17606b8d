// The loop does not count down on one path.
// verdict: errors

procedure Loop(n: int)
requires 0 <= n;
{
  var i: int;

  i := n;
  while (0 < i)
  invariant 0 <= i;
  measure i; //~ error[measure] "decrease"
  {
    if (*) {
      i := i - 1;
    }
  }
}
