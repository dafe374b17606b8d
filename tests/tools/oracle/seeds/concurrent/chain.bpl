// An action that refines an action, gates on both.
// favour: drop_clause, add_asserts
var {:layer 0,4} x: int;
yield procedure {:layer 0} Check(v: int);
refines atomic action {:layer 1} _ { assert x == v; }
yield procedure {:layer 1} Checked(v: int)
refines A;
{
  call Check(v);
}
atomic action {:layer 2} A(v: int)
refines B;
asserts x == v;
{ }
atomic action {:layer 3,4} B(v: int)
asserts x == v;
{ }
yield invariant {:layer 3} Is(v: int);
preserves x == v;
yield procedure {:layer 3} User(v: int)
requires call Is(v);
{
  call Checked(v);
}
