// Nothing else is at layer 1: the demand of the lemma alone makes it a layer that is checked.
// verdict: errors

var {:layer 0,3} x: int;

pure procedure Positive(i: int);
requires i > 0;

yield procedure {:layer 3} P(i: int)
{
  call {:layer 1} Positive(i); //~ error[precondition]
}
