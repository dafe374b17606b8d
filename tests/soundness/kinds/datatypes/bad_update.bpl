// The other field keeps its value.
// verdict: errors

datatype Pair { Pair(a: int, b: int) }

procedure P(p: Pair) returns (q: Pair)
ensures q == Pair(5, 0);
{
  q := p;
  q->a := 5;
} //~ error[postcondition]
