// expect: refused
// VERIFIED by civl --strict (binary of 16:11; run at 16:34), but WRONG. Same cause as c01: the gate of the right mover arm `Chk` is asked only after the yielding
// arm `Q` has returned (and ensured x == 1), but the arm may run at any time. Asserting the gate in the state of the call would not be enough here: Chk is no
// left mover, so its gate need not survive the steps of Q or of others.
// Run at layer 1 or 0: x = 0; P starts both arms; arm Chk runs first: gate x == 1 fails. P refines nothing.
// Missing rule: discipline/src/par_calls.rs around_yields. Reference: the same hole.
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set1();
refines atomic action {:layer 1} _ { x := 1; }
yield procedure {:layer 0} Chk();
refines right action {:layer 1} _ { assert x == 1; }
yield invariant {:layer 1} Is1();
preserves x == 1;
yield procedure {:layer 1} Q()
ensures call Is1();
{
  call Set1();
}
yield procedure {:layer 1} P()
{
  call Q() | Chk();
}
