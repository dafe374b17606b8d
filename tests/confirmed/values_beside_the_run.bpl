// Right assertions about types without definition, of which a run mentions a few values only. Proofs take such a type
// for infinite where maps over it are compared, and locations everywhere.
// verdict: errors
// candidates

type T;

procedure Q(m: [T]int, x: T)
requires m == (lambda y: T :: if y == x then 1 else 0);
{
  assert m != MapConst(1); //~ error[assertion]
}

procedure L(s: [Loc]bool, l: Loc)
requires s == MapConst(false)[l := true];
{
  assert (exists x: Loc :: !s[x]); //~ error[assertion]
}

datatype W { W(t: T) }
const unique a, b, c: W;

procedure Behind(x: T, y: T)
{
  assert (exists z: T :: z != x && z != y); //~ error[assertion]
}

type U;
const unique d, e: [int]U;

procedure InMaps(x: U)
{
  assert (exists z: U :: z != x); //~ error[assertion]
}
