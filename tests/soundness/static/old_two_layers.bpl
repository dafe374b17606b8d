// A value of two layers is no ghost value of one: the transactions of layer 2 would rest on a read that no action does.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 2} P()
{
  var {:layer 1,2} v: int;
  v := old(x); //~ error[old-in-code]
}
