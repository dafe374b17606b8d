// The `asserts` clauses imply every assertion in the body, on every path and in called actions.
// verdict: verified

var {:layer 0,1} x: int;

atomic action {:layer 1} NEED_POSITIVE()
{
  assert 0 < x;
}

atomic action {:layer 1} SPEND(k: int)
asserts 0 < k;
asserts k <= x;
{
  call NEED_POSITIVE();
  if (k == 1) {
    assert 1 <= x;
  }
  x := x - k;
  assert 0 <= x;
}
