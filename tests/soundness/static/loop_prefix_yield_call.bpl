// A call of a yield invariant that does not stand at the head of the loop is not one of the loop's invariants: it is a
// yield inside a loop that does not yield at its head.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Positive();
preserves 0 < x;

yield procedure {:layer 1} P()
requires call Positive();
{
  while (*) //~ error[loop-must-yield] "layer 1"
  invariant {:layer 1} true;
  {
    call Positive();
  }
}
