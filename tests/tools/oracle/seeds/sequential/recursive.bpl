// Recursive procedures, proved by their contracts.
procedure Down(n: int) returns (r: int)
requires 0 <= n;
ensures r == 0;
{
  if (n == 0) { r := 0; return; }
  call r := Down(n - 1);
}
procedure Fill(n: int, x: int) returns (r: int)
ensures r == x;
{
  r := x;
  if (0 < n) { call r := Fill(n - 1, x); }
}
