// Only what stands at the head of the loop is its invariant. An assertion behind the first statement of a labelled
// loop is an ordinary assertion, and is checked as one.
// verdict: errors

var {:layer 0,2} total: int;

left action {:layer 1} ADD(k: int) { total := total + k; }
yield procedure {:layer 0} Add(k: int); refines ADD;

yield procedure {:layer 1} P()
{
  var i: int;

  i := 0;
head:
  i := i + 1;
  assert {:layer 1} 1 <= i && i <= 2; //~ error[assertion]
  if (*) {
    goto head;
  }
}
