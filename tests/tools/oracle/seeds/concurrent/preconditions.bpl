// A left mover that is one only under a global invariant.
// favour: leaf, layer, drop_clause
var {:layer 0,2} n: int;
invariant {:layer 1} Big(k: int);
preserves 2 <= n;
left action {:layer 1} A_Use(k: int) returns (r: int)
requires call Big(k);
requires {:layer 1} k == k;
{ assert n >= 2; r := k; }
yield procedure {:layer 0} Use(k: int) returns (r: int);
refines A_Use;
yield procedure {:layer 0} Grow(k: int);
refines atomic action {:layer 1} _ { if (k > 0) { n := n + k; } }
yield procedure {:layer 1} Main(k: int) returns (r: int)
requires call Big(k);
refines atomic action {:layer 2} _ { r := k; }
{
  call Big(k);
  call r := Use(k);
}
yield procedure {:layer 1} Step()
refines atomic action {:layer 2} _ { n := n + 1; }
{
  call Grow(1);
}
