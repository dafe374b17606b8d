// A left mover that always calls itself never ends.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} P()
{
  call P(); //~ error[mover-endless]
}
