// The invariant beside the callee speaks of the thread's own value.
// verdict: verified
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield invariant {:layer 1} Positive(v: int); preserves 0 < v;
yield procedure {:layer 1} Q(v: int) refines atomic action {:layer 2} _ { x := v; } { call Set(v); }
yield procedure {:layer 1} P(v: int)
requires call Positive(v);
refines atomic action {:layer 2} _ { x := v; }
{
  call Positive(v) | Q(v);
  assert {:layer 1} 0 < v;
}
