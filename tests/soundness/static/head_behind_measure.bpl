// verdict: errors
// NEW ROOT CAUSE. VERIFIED by civl --strict, but WRONG. Reference: verifies too.
// loops.rs check_head: `block.commands.iter().map_while(|command| predicate(..))` stops at a `measure`, while copy.rs
// is_predicate counts Measure as part of the prefix. So `assert x == 0` BEHIND a measure at a yielding goto-head becomes a loop
// invariant about a global that nobody asks about (loop-invariant-global), and it is assumed again AFTER the others ran.
// Run: P: Set(0); P waits at head A; R: x := 7; P goes on: x == 7, assert x == 0 fails.
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 1} R() { call Set(7); }
yield procedure {:layer 1} P()
{
  var i: int;
  i := 10;
  call Set(0);
A:
  assert {:yields} true;
  measure {:layer 1} i;
  assert {:layer 1} x == 0;
  goto B, C;
B:
  assume i > 0;
  assert {:layer 1} x == 0;
  i := i - 1;
  goto A;
C:
  return;
}
