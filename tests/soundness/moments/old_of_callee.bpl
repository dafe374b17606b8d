// `old(x)` of a callee of the same layer is the state at its call. Taken after its action, `old(x) + 1 == v + 1` would contradict `x == v + 1`.
// Run: P does Q's increment and then 77.
// verdict: errors
var {:layer 0,2} x: int;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Q(v: int) returns (r: int)
requires call Same(x, v);
ensures {:layer 1} r == old(x) && r == v;
refines atomic action {:layer 2} _ { x := x + 1; r := v; }
{ r := v; call Inc(); }
yield invariant {:layer 1} Same(a: int, b: int); preserves a == b;
yield procedure {:layer 1} P() returns (r: int)
refines atomic action {:layer 2} _ { havoc x; }
{
  var v: int;
  call v := Get();
  call r := Q(v);
  call Set(77);
}
