// Functions: inlined, defined, used by each other.
// favour: recursion, leaf
function {:inline} Next(x: int): int { x + 1 }
function Twice(x: int): int { x + x }
function After(x: int): int { Next(x) + 1 }
function {:inline} Even(x: int): bool { x mod 2 == 0 }
procedure Use(n: int) returns (r: int)
ensures r == n + 2;
{
  r := After(n);
  assert Next(n) == n + 1;
  assert Twice(n) == 2 * n;
}
procedure Check(n: int)
requires Even(n);
{
  assert Even(n + 2);
}
