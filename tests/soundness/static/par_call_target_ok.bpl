// The arms of a parallel call are yield procedures and invariants.
// verdict: verified

var {:layer 0,1} x: int;

yield invariant {:layer 1} Positive();
preserves true;

yield procedure {:layer 1} A() { }
yield procedure {:layer 1} P()
{
  var y: int;

  call y := Copy(3);
  call A() | Positive();
}
