// The head of a loop made of jumps: `x` in `Inv(x)` is the value when the head was reached, not the one after others ran.
// Run: P sets x to 0 and waits at L; R sets 7; P goes on at L1, where x is 7.
// verdict: errors
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield invariant {:layer 1} Inv(v: int); preserves v == 0;
yield procedure {:layer 1} R() { call Set(7); }
yield procedure {:layer 1} P()
{
  call Set(0);
L:
  assert {:yields} true;
  call Inv(x);
  goto L1, Done;
L1:
  assert {:layer 1} x == 0; //~ error[assertion]
  call Set(0);
  goto L;
Done:
  return;
}
