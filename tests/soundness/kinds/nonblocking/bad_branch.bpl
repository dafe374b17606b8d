// One branch may get stuck.
// verdict: errors

var {:layer 0,1} x: int;
var {:layer 0,1} y: int;

left action {:layer 1} STEP() //~ error[nonblocking] "STEP"
{
  if (0 < x) {
    assume 0 < y;
  }
}
