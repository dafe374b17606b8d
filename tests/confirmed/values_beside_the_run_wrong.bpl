// Wrong assertions about types without definition: values that the run does not mention change nothing.
// verdict: errors

type T;

procedure R(m: [T]int, n: [T]int, x: T)
requires m[x] == n[x];
{
  assert m == n; //~ error[assertion]
}

type V;

procedure S(m: [V]int, x: V)
requires m == (lambda y: V :: if y == x then 1 else 0);
{
  assert m != MapConst(0)[x := 1]; //~ error[assertion]
}

procedure L(s: [Loc]bool)
requires s == MapConst(true);
{
  assert (exists x: Loc :: !s[x]); //~ error[assertion]
}

datatype W { W(t: T) }
const unique a, b, c: W;

procedure Behind(x: T, y: T)
{
  assert x == y; //~ error[assertion]
}
