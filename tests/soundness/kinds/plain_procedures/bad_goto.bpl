// One way around the loop skips the work.
// verdict: errors

procedure P(n: int)
requires 0 <= n;
{
  var i, done: int;

  i := 0;
  done := 0;
head:
  assert done == i && i <= n; //~ error[loop-invariant]
  if (i < n) {
    i := i + 1;
    if (*) {
      goto head;
    }
    done := done + 1;
    goto head;
  }
}
