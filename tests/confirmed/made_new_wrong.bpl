// A location that is made new may be any that is known but not held.
// verdict: errors

yield invariant {:layer 1} Y();
preserves true;

atomic action {:layer 1} New() returns ({:linear} l: One Loc)
{
  call l := Loc_New();
}

yield procedure {:layer 0} new() returns ({:linear} l: One Loc);
refines New;

yield procedure {:layer 1} Known(q: Loc)
{
  var {:linear} l: One Loc;
  call l := new();
  assert {:layer 1} l->val != q; //~ error[assertion]
}

yield procedure {:layer 1} Parts(x: int) returns ({:linear} l: One Loc)
{
  call l := new();
  assert {:layer 1} x > 0; //~ error[assertion]
}
