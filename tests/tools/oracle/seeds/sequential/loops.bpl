// Loops with invariants, branches, gotos, break.
// favour: loop_invariant, free_invariant
procedure Sum(n: int) returns (s: int)
requires 0 <= n;
ensures s == n;
{
  var i: int;
  i := 0;
  s := 0;
  while (i < n)
  invariant 0 <= i && i <= n;
  invariant s == i;
  {
    i := i + 1;
    s := s + 1;
  }
}
procedure Find(n: int) returns (r: int)
ensures r <= 3;
{
  var i: int;
  i := 0;
  r := 0;
  while (*)
  invariant r <= 3;
  {
    if (i == n) { r := 3; break; }
    i := i + 1;
  }
}
procedure Jump(b: bool) returns (r: int)
ensures b ==> r == 1;
{
  r := 0;
  goto A, B;
A:
  assume b;
  r := 1;
  return;
B:
  assume !b;
  r := 2;
}
