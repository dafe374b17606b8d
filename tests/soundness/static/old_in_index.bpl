// An index is read like any other value, on the left of an assignment too, and so is an assumption.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} P()
{
  var a: [int]int;
  a[old(x)] := 1; //~ error[old-in-code]
  assume old(x) > 0; //~ error[old-in-code]
}
