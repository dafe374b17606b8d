// verdict: errors
// NEW ROOT CAUSE. VERIFIED by civl --strict without a warning, but WRONG. Reference: verifies too (it asks for no termination at all).
// termination/counting.rs is_fixed: `Expr::Old(_) => continue` takes old(n) for fixed, but old of a LOCAL is the local itself, and the
// loop changes it. So the left mover M, which never returns (it ensures false), passes as a counting loop.
// Run: P does x := 77 and then runs in M for ever: others see 77, though P is said to do x := 1.
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield left procedure {:layer 1} M()
ensures {:layer 1} false;
{
  var i, n: int;
  i := 0;
  n := 1;
  while (i < old(n))
  invariant {:layer 1} i < n;
  {
    i := i + 1;
    n := n + 1;
  }
}
yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := 1; }
{
  call Set(77);
  call M();
}
