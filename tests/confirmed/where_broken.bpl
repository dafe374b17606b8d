// An assignment may break a `where` clause, and an argument need not satisfy it.
// verdict: errors

procedure Assigned(x: int where x > 1) returns (r: int where r > x)
{
  r := 0;
  assert r > x; //~ error[assertion]
}

procedure Stronger(x: int where x >= 0)
{
  assert x > 0; //~ error[assertion]
}

yield procedure {:layer 1} Loop() returns (r: int where r > 0)
{
  while (*)
  invariant {:layer 1} true;
  {
    havoc r;
    r := r - 1;
  }
  assert {:layer 1} r > 1; //~ error[assertion]
}
