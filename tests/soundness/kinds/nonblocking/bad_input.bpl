// It depends on the argument.
// verdict: errors

var {:layer 0,1} x: int;

left action {:layer 1} ADD(k: int) //~ error[nonblocking] "ADD"
{
  assume 0 <= k;
  x := x + k;
}
