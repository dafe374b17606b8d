// A run of a check about actions that starts where a `where` clause is false is not confirmed.
// verdict: errors
// candidates

var {:layer 0,1} x: int where x >= 0;

left action {:layer 1} N() //~ error[nonblocking]
{
  assume x >= 0;
}

yield procedure {:layer 0} n();
refines N;
