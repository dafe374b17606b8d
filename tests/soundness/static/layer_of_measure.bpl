// The measure of the loop is for a layer at which nothing else is said.
// verdict: errors

var {:layer 0,3} x: int;

yield procedure {:layer 3} P(n: int)
{
  var i: int;
  i := n;
  while (*)
  measure {:layer 1} i; //~ error[measure] error[measure]
  {
    i := i + 1;
  }
}
