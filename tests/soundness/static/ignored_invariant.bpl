// An ignored invariant cannot be relied on.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} {:ignore} Zero(); preserves x == 0;

yield procedure {:layer 1} P()
requires call Zero(); //~ error[undeclared-procedure] error[invariant-expected]
{
  assert {:layer 1} x == 0;
}
