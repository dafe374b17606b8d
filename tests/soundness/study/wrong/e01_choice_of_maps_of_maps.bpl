// expect: refused
// Wrong: c = {0 -> true}, a[0] = {0 -> 5, 1 -> 7}: MapIte(c, a, b)[0][1] is a[0][1] = 7, not a[0][0] = 5.
// F stands for any quantifier over maps: without it the plain lane answers first.
function F(m: [int]int): int;

procedure P(c: [int]bool, a: [int][int]int, b: [int][int]int)
{
  assume (forall m: [int]int :: F(m) >= 0);
  assume c[0];
  assert MapIte(c, a, b)[0][1] == a[0][0];
}
