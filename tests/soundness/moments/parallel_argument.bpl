// Two invariants beside a callee that takes part in the refinement: their arguments are those of the call.
// Run: P waits for x == 0, Q sets 1, then P sets 77: two changes where one is allowed.
// verdict: errors
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Wait0() returns (r: int);
refines atomic action {:layer 1} _ { assume x == 0; r := 0; }
yield invariant {:layer 1} Same(a: int, b: int); preserves a == b;
yield procedure {:layer 1} Q() refines atomic action {:layer 2} _ { x := 1; } { call Set(1); }
yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := 1; }
{
  var r: int;
  call r := Wait0();
  call Same(r, x) | Q() | Same(x, r);
  call Set(77);
}
