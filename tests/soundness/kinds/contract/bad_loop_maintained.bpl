// The loop invariant is off by one after a round.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} P(n: int)
requires {:layer 1} 0 <= n;
{
  var i: int;

  i := 0;
  while (i <= n)
  invariant {:layer 1} i <= n; //~ error[loop-invariant]
  {
    i := i + 1;
  }
}
