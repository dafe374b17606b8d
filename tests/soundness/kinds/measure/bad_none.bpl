// A left mover that calls itself needs a measure.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} P()
{
  if (*) {
    call P(); //~ error[measure]
  }
}
