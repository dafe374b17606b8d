// A procedure without a body at layer 1 still has its contract at layer 1: callers must establish what it requires.
// verdict: errors

var {:layer 0,2} x: int;

yield invariant {:layer 1} Positive();
preserves 0 < x;

yield procedure {:layer 1} Device();
requires call Positive();

yield procedure {:layer 1} P()
{
  call Device(); //~ error[precondition]
}
