// A type parameter may be a type of the program.
// verdict: not-verified
procedure P<T>(x: T) ensures x != 5; { }
procedure Q() { call P(5); assert false; }
