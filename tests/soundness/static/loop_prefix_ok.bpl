// The invariant stands at the head of the labelled loop.
// verdict: verified

var {:layer 0,2} total: int;

left action {:layer 1} ADD(k: int) { total := total + k; }
yield procedure {:layer 0} Add(k: int); refines ADD;

yield procedure {:layer 1} P()
{
  var i: int;

  i := 0;
head:
  assert {:layer 1} 0 <= i;
  i := i + 1;
  if (*) {
    goto head;
  }
}
