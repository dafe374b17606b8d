// expect: refused
// VERIFIED by civl --strict (nothing on faith), but WRONG: the assertion in Q fails. The implementation names the type parameters in
// another order: its T is the U of the procedure. obligations/src/kind/plain.rs:169 own_type_params pairs formals by position, but line 179
// skips a name that the procedure has as well (`!types.contains_key(other)`), so inside the body `T` still means the procedure's T.
// (b01 again: there the equality of x and t is now refused as "may be the same type"; the renaming itself was never repaired.)
// Called with T = bool and U = int, the body returns "every int is one of two values" = false; the contract says "every bool is" = true.
// Missing rule: the i-th type parameter of an implementation stands for the i-th of its procedure, whatever the names are, and only
// the implementation's own names are in sight in its body. (Names that occur in no formal's type are not paired at all: see s01b.)
procedure P<T,U>(x: T, y: U) returns (r: bool);
ensures r == (forall a: T, b: T, c: T :: a == b || b == c || a == c);
implementation P<U,T>(x: U, y: T) returns (r: bool)
{ r := (forall a: T, b: T, c: T :: a == b || b == c || a == c); }

procedure Q() { var r: bool; call r := P(true, 1); assert r; }
