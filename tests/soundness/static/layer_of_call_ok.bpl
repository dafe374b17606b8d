// Demands at layers without anything else, all of them met.
// verdict: verified

var {:layer 0,5} x: int;

pure procedure Positive(i: int);
requires i > 0;
pure action Check(i: int) { assert i > 0; }

yield procedure {:layer 4} P(n: int)
{
  var i: int;
  i := 1;
  call {:layer 1} Positive(i);
  call {:layer 2,3} Check(i);
  call Positive(2);
  while (*)
  invariant {:layer 0} 0 <= i;
  measure {:layer 0} i;
  {
    assume i > 0;
    i := i - 1;
  }
}
