// A callee of the same layer with a contract, and a caller that may end with anything.
// favour: shared_argument
var {:layer 0,2} x: int;
yield invariant {:layer 1} Same(a: int, b: int);
preserves a == b;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Bump(v: int)
requires call Same(v, v);
ensures {:layer 1} v == v;
refines atomic action {:layer 2} _ { x := v + 1; }
{
  call Set(v + 1);
}
yield procedure {:layer 1} Anything()
refines atomic action {:layer 2} _ { havoc x; }
{
  var v: int;
  call v := Get();
  call Bump(v);
}
