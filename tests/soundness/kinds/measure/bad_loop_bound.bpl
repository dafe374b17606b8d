// The measure of the loop may be negative.
// verdict: errors

procedure Loop(n: int)
{
  var i: int;

  i := n;
  while (i != 0)
  measure i; //~ error[measure] "negative"
  {
    i := i - 1;
  }
}
