// The measure may be negative where the procedure is called.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} P(n: int)
measure {:layer 1} n;
{
  if (n != 0) {
    call P(n - 2); //~ error[measure] "negative"
  }
}
