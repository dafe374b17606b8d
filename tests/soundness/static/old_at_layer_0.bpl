// verdict: errors
// A local of layer 0 is part of the machine: it cannot hold what a global was at the call.
var {:layer 0,1} x: int;
yield procedure {:layer 1} P()
{
  var {:layer 0} v: int;
  v := old(x);
}
