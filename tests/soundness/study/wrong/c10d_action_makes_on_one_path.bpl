// expect: refused
// The callee makes a location on one of its paths only.
var {:layer 0,1} {:linear} spare: UnitMap (One Loc);
yield procedure {:layer 0} MakeOrReuse(b: bool) returns ({:linear} l: One Loc);
refines atomic action {:layer 1} _
{
  if (b) { call l := Loc_New(); } else { assume Set_Contains(spare->dom, l); call One_Get(spare, l); }
}
yield procedure {:layer 1} New(b: bool) returns ({:linear} l: One Loc)
refines left action {:layer 2} _ { call l := Loc_New(); }
{
  call l := MakeOrReuse(b);
}
