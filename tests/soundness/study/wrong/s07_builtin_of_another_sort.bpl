// expect: refused
// VERIFIED by civl --strict (nothing on faith), but WRONG: proves false. `/` of the solver gives a real; the program declares an int, which
// nobody compares (ir/src/op.rs: the sort of Op::Builtin is whatever the declaration says; prover/src/encode/print.rs builtin() checks the
// spelling only). The solver coerces silently, so `x == half(1, 2)` says that an integer is one half. ("*" with an int and a real, and
// "ite" with an int and a real branch, do the same.)
// Missing rule: a builtin is used only with the signature that the solver gives it (a table of the operators that are known, or
// `(assert (= (as-declared) ..))` checked by sort: declare a constant of the result sort without coercion, i.e. refuse int/real mixtures);
// or each {:builtin} of the user is listed as taken on faith.
function {:builtin "/"} half(x: int, y: int): int;

procedure P() { var x: int; x := half(1, 2); assert false; }
