// A global invariant, and an action that needs it.
// favour: layer, leaf
var {:layer 0,1} n: int;
invariant {:layer 1} Positive();
preserves 0 < n;
left action {:layer 1} A_Use() returns (r: int)
requires call Positive();
{ assert n != 0; r := 1; }
yield procedure {:layer 0} Use() returns (r: int);
refines A_Use;
yield procedure {:layer 0} Grow();
refines atomic action {:layer 1} _ { n := n + 1; }
yield procedure {:layer 1} Main()
requires call Positive();
{
  var r: int;
  call Grow();
  call Positive();
  call r := Use();
  assert {:layer 1} r == 1;
}
