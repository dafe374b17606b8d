// expect: refused
// VERIFIED by civl --strict (binary of 16:37, run at 17:03), but WRONG. `{:linear} m: Map int int` has a linear attribute but an ORDINARY type, so it is treated as ordinary everywhere in the flow (any expression may be
// passed, nothing is held); yet the proofs assume that it is well-formed. obligations/src/permissions.rs linear_facts_beside: `well_formed(holder)` looks at the name `Map` only; the callers filter by ATTRIBUTE only:
// copy/interference.rs victim(), kind/global_noninterference.rs stable(), action/copy.rs linear_ins, kind/scene.rs linear_global. (Half of 14.3 the other way round: there the type counted without the attribute.)
// Run: m = Map(MapConst(false), MapConst(Default() + 1)), not well-formed. P: Set(0), x = 0; P waits at Inv(m), which holds since x == 0; R: Set(7), x = 7; P goes on: assert x == 0 fails. The check of R against
// Inv assumes Map_WellFormed(m) of the waiting thread, and so finds Inv true whatever x is.
// Rule: holders are variables whose attribute AND type are linear (discipline::linear::is_linear), as the flow has it. Reference: presumably the same hole.
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield invariant {:layer 1} Inv({:linear} m: Map int int);
preserves Map_WellFormed(m) || x == 0;
yield procedure {:layer 1} R()
{
  call Set(7);
}
yield procedure {:layer 1} P(m: Map int int)
requires {:layer 1} !Map_WellFormed(m);
{
  call Set(0);
  call Inv(m);
  assert {:layer 1} x == 0;
}
