// verdict: errors
// The same as the argument of a pure call at layer 0.
var {:layer 0,1} x: int;
yield procedure {:layer 1} P()
{
  var {:layer 0} v: int;
  call {:layer 0} v := Copy(old(x));
}
