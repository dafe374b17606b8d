// What a callee ensures about the state at its call may be used after it.
// verdict: verified
var {:layer 0,2} x: int;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield invariant {:layer 1} AtLeast(n: int); preserves n <= x;
yield procedure {:layer 1} Q(n: int)
requires call AtLeast(n);
requires call AtLeast(x);
ensures {:layer 1} n <= old(x);
ensures call AtLeast(old(x));
refines atomic action {:layer 2} _ { x := x + 1; }
{ call Inc(); }
yield procedure {:layer 1} P(n: int)
requires call AtLeast(n);
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Q(n);
  assert {:layer 1} n <= x;
}
