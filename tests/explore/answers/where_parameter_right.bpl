// explore: exit 0 not "gaps"
// explore --root Caller: exit 2 "a call of `Entry`, which has `where` clauses" not "confirmed"
//
// Clients keep to `where` clauses of parameters; nobody knows whether other callers do.

yield procedure {:layer 1} {:explore.root} Entry(x: int where x > 0)
{
  assert {:layer 1} x > 0;
}

yield procedure {:layer 1} Caller()
{
  call Entry(0);
}
