// Maps over two type parameters. With T = U = int both sides are the same map.
// verdict: not-verified
procedure P<T,U>(m: [T]int, n: [U]int) ensures m != n; { }
procedure Q(m: [int]int) { call P(m, m); assert false; }
