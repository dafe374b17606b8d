// explore: exit 2 "a call of `Pick`, which has `where` clauses" not "confirmed"
//
// A proof believes `where` clauses of results; who rests on them is left out.

yield procedure {:layer 0} Pick() returns (v: int where v > 0);
refines atomic action {:layer 1} _
{
}

yield procedure {:layer 1} {:explore.root} Root()
{
  var v: int;

  call v := Pick();
  assert {:layer 1} v > 0;
}
