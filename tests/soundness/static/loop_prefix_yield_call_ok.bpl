// The loop says that it yields, and with which invariant.
// verdict: verified

var {:layer 0,1} x: int;

yield invariant {:layer 1} Positive();
preserves 0 < x;

yield procedure {:layer 1} P()
requires call Positive();
{
  while (*)
  invariant {:yields} true;
  invariant call Positive();
  {
    call Positive();
  }
}
