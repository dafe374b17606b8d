// expect: refused
// VERIFIED by civl --strict, but WRONG: the body says that the map is 0 everywhere. A function with {:builtin} (or {:bvbuiltin}) and a body is the
// builtin (hir/src/signature/data.rs: FuncKind::Builtin wins), the body is silently dropped. Boogie keeps both, which is contradictory.
// Missing rule: a builtin has no body; refuse it (as {:inline} with {:define} is refused).
function {:builtin "MapConst"} f(x: int): [int]int { (lambda i: int :: 0) }

procedure P() { assert f(1)[0] == 1; }
