// The caller establishes what the procedure without a body requires.
// verdict: verified

var {:layer 0,2} x: int;

yield invariant {:layer 1} Positive();
preserves 0 < x;

yield procedure {:layer 1} Device();
requires call Positive();

yield procedure {:layer 1} P()
requires call Positive();
{
  call Device();
}
