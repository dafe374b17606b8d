// Pure actions are left movers as well.
// verdict: errors

var {:layer 0,1} x: int;

pure action POSITIVE(k: int) //~ error[nonblocking] "POSITIVE"
{
  assume 0 < k;
}
