// A location that is made new is none that is held, and none of which a tag is held: these are right, but
// inside a transaction nobody tells the solver. So they are refused, and no run is confirmed.
// verdict: errors
// candidates

yield invariant {:layer 1} Y();
preserves true;

atomic action {:layer 1} New() returns ({:linear} l: One Loc)
{
  call l := Loc_New();
}

yield procedure {:layer 0} new() returns ({:linear} l: One Loc);
refines New;

yield procedure {:layer 1} Later()
{
  var {:linear} l, k: One Loc;
  call l := new();
  call Y();
  call k := new();
  assert {:layer 1} l != k; //~ error[assertion]
}

yield procedure {:layer 1} OfTag({:linear} t: One (Tag Unit))
{
  var {:linear} l: One Loc;
  call l := new();
  assert {:layer 1} l->val != t->val->loc; //~ error[assertion]
}
