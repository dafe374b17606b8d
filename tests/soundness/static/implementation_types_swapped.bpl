// verdict: errors
// VERIFIED by civl (also --strict, nothing on faith), but WRONG: Q proves false. The implementation names the type parameters in
// another order: its U is the T of the procedure. obligations/src/kind/plain.rs own_type_params/pair_params skips a name that the
// procedure also has (`!types.contains_key(other)`), so x gets the type U@type while `t: T` in the ensures is of T@type.
// x != t is then "values of different types" = true. Reference (Boogie HEAD): rejects (postcondition could not be proved).
procedure P<T,U>(x: T, y: U);
ensures (forall t: T :: x != t);
implementation P<U,T>(x: U, y: T) { }
procedure Q() { call P(1, true); assert false; }
