// The same where the clause is true.
// verdict: errors

var {:layer 0,1} x: int where x >= 0;

left action {:layer 1} N() //~ error[nonblocking]
{
  assume x >= 0 && x < 0;
}

yield procedure {:layer 0} n();
refines N;
