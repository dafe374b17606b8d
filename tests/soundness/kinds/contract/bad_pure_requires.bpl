// The precondition of a lemma is checked like any other.
// verdict: errors

var {:layer 0,1} x: int;

pure procedure Lemma(a: int, b: int);
requires a < b;
ensures a + 1 <= b;

yield procedure {:layer 1} P(a: int, b: int)
{
  call Lemma(a, b); //~ error[precondition]
}
