// The loop invariant does not hold when the loop is reached.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} P(n: int)
{
  var i: int;

  i := 0;
  while (i < n)
  invariant {:layer 1} i <= n; //~ error[loop-invariant]
  {
    i := i + 1;
  }
}
