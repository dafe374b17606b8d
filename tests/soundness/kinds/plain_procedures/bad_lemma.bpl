// A lemma that is not true.
// verdict: errors

pure procedure Lemma(a: int, b: int)
requires a <= b;
ensures a * a <= b * b;
{
} //~ error[postcondition]
