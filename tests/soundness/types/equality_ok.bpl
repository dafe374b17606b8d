// Equality at one parameter, and a function that is used at types that are known to differ.
// verdict: verified
datatype Pair<A, B> { Pair(first: A, second: B) }
function {:inline} Same<T,U>(x: T, y: U): bool { x == y }
procedure P<T,U>(p: Pair T U, q: Pair T U) requires p == q; ensures p->first == q->first && p->second == q->second; { }
procedure Q(i: int, b: bool) { assert !Same(i, b); assert Same(i, i); }
