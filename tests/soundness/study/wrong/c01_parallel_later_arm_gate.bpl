// expect: refused
// VERIFIED by civl --strict (binary of 16:11; run at 16:34), but WRONG. A parallel call runs its arms in any order, the proof takes them from left to right
// and asks the gate of `Chk` only after `Set1` has acted. Nothing shows that a FAILURE of `Chk` survives when it is moved behind `Set1`: for a mover that goes
// right only "gates of others survive" is asked (GP), and as a left mover its own gate survives others (so: holds before ==> holds after, not the converse).
// Run at layer 0 (the machine; P refines nothing, so no gate may fail in any run):
//   x = 0; P: starts both arms; arm Chk runs first: gate x == 1 fails.     (Same run at layer 1, where both arms are actions.)
// Same without P as "both": [R | R], [R | B], and with code arms, see c01b.
// Missing rule (discipline/src/par_calls.rs one_transaction, around_yields; obligations/src/copy/calls.rs call/inline_action): an action arm with a gate that
// stands behind an arm which is not a left mover needs more: for a both mover it is enough to assert its gate in the state of the CALL too (GP carries it on);
// for a right mover that is not left refuse a gate that reads globals. (Arms behind left movers are fine: FP(arm, left mover) is proved.) Reference: the same hole.
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set1();
refines atomic action {:layer 1} _ { x := 1; }
yield procedure {:layer 0} Chk();
refines both action {:layer 1} _ { assert x == 1; }
yield procedure {:layer 1} P()
{
  call Set1() | Chk();
}
