// Equal sums do not make equal pairs.
// verdict: errors

datatype Pair { Pair(a: int, b: int) }

procedure P(p: Pair, q: Pair)
requires p->a + p->b == q->a + q->b;
{
  assert p == q; //~ error[assertion]
}
