// The recursive call has the same measure.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} P(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  if (*) {
    call P(n); //~ error[measure] "decrease"
  }
}
