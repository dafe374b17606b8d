// A function compares.
// verdict: not-verified
function Same<T,U>(x: T, y: U): bool { x == y }
procedure P<T,U>(x: T, y: U) ensures !Same(x, y); { }
procedure R() { call P(1, 1); assert false; }
