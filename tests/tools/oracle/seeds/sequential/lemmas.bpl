// Lemmas and inlined procedures.
// favour: free_clause, add_attribute
pure procedure Le(a: int, b: int)
requires a <= b;
ensures a < b + 1;
{ }
procedure Max(a: int, b: int) returns (m: int)
ensures a <= b ==> m == b;
{
  if (a < b) { m := b; } else { m := a; }
}
procedure Use(a: int, b: int)
requires a <= b;
{
  var m: int;
  call Le(a, b);
  assert a < b + 1;
  call m := Max(a, b);
  assert m == b;
}
procedure Never()
ensures true;
{
  call Le(0, 0);
}
