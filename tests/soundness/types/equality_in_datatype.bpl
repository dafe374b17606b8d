// Inside a datatype.
// verdict: not-verified
datatype Pair<A, B> { Pair(first: A, second: B) }
procedure P<T,U>(p: Pair T int, q: Pair U int) ensures p != q; { }
procedure Q(p: Pair bool int) { call P(p, p); assert false; }
