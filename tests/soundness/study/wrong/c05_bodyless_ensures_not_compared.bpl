// expect: faith
// VERIFIED by civl --strict ("1 yield procedure without body"; binary of 16:11, run at 16:50), but WRONG although SetY does exactly what it ensures and changes nothing that its (empty) refinement
// could show: y is hidden at layer 1. Relative of 18 and B1: the step of a procedure without body is compared with those who wait only if it REFINES an action
// (kind/machine_steps.rs steps(): `sig.refines.clone()` or nothing); what it does to make its `ensures call` true is compared with nobody. With a body (call Set0(5)) it is refused. LOW severity: one has to
// read "does what it refines and ensures" (manual 13) as allowing the change that the postcondition asks for.
// Run at layer 1: y = 0; P waits at Y0; Q calls SetY, which sets y := 5 and returns, as it ensures; P goes on: assert y == 0 fails.
// Missing rule: a procedure without body whose `ensures call` speaks of a global that its action does not write: either that global must not change (assume nothing new about it),
// or list it as a promise (TrustedKind other than Machine), so that strict refuses.
var {:layer 0,1} y: int;
yield invariant {:layer 1} Y0(); preserves y == 0;
yield invariant {:layer 1} Y5(); preserves y == 5;
yield procedure {:layer 1} SetY();
ensures call Y5();
yield procedure {:layer 1} P()
requires call Y0();
{
  call Y0();
  assert {:layer 1} y == 0;
}
yield procedure {:layer 1} Q()
{
  call SetY();
  assert {:layer 1} y == 5;
}
