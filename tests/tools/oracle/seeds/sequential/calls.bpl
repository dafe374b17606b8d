// Contracts, globals, old.
var g: int;
var h: int;
procedure Inc(k: int) returns (r: int)
requires 0 <= k;
ensures g == old(g) + k;
ensures r == g;
modifies g;
{
  g := g + k;
  r := g;
}
procedure Twice()
ensures g == old(g) + 2;
modifies g;
{
  var a: int;
  call a := Inc(1);
  call a := Inc(1);
  assert a == g;
}
