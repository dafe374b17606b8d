// A yield procedure changes shared variables by calling actions only; `havoc` is no exception.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} P()
{
  havoc x; //~ error[global-written] "x"
}
