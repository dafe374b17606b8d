// Anyone may set; nothing about x is stable.
// favour: shared_argument
var {:layer 0,2} x: int;
yield invariant {:layer 1} Same(a: int, b: int);
preserves a == b;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} SetTo(v: int)
refines atomic action {:layer 2} _ { x := v; }
{
  call Set(v);
}
yield procedure {:layer 1} ReadThenSet(w: int)
refines atomic action {:layer 2} _ { x := w; }
{
  var v: int;
  call v := Get();
  call Same(v, v) | SetTo(w);
}
