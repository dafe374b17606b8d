// Loops that yield, with local and shared facts.
// favour: shared_argument, loop_to_goto
var {:layer 0,2} x: int;
yield invariant {:layer 1} Same(a: int, b: int);
preserves a == b;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Put(v: int)
refines atomic action {:layer 2} _ { x := v; }
{
  call Set(v);
}
yield procedure {:layer 1} Poll()
{
  var r: int;
  call r := Get();
  while (*)
  invariant {:yields} true;
  invariant call Same(r, r);
  {
    assert {:layer 1} r == r;
    call r := Get();
  }
}
