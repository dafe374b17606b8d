// Where clauses that cost nothing.
// favour: where_clause
procedure Small(n: int) returns (r: int)
requires n < 3;
ensures r < 4;
{
  r := n + 1;
}
procedure Use() returns (z: int)
ensures z < 4;
{
  call z := Small(1);
  assert z < 4;
}
