// verdict: errors
// VERIFIED by civl, but WRONG: assertion of a pure action at a layer without an invariant program is never asked.
var {:layer 0,2} x: int;
yield procedure {:layer 2} P()
{
  call {:layer 1} Assert(false);
}
