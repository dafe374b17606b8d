// The first block of the body is the head. Run: x is 3 when P is called; R sets 7 while P waits at the head.
// verdict: errors
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield invariant {:layer 1} Same(a: int, b: int); preserves a == b;
yield procedure {:layer 1} R() { call Set(7); }
yield procedure {:layer 1} P(k: int)
requires call Same(x, k);
{
  while (*)
  invariant {:yields} true;
  invariant call Same(x, k); //~ error[loop-invariant]
  {
    assert {:layer 1} x == k; //~ error[assertion]
  }
}
