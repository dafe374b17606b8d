// expect: refused
// One of two branches makes nothing: there a used location is returned as if it were new.
var {:layer 0,1} {:linear} spare: UnitMap (One Loc);
yield procedure {:layer 0} Reuse() returns ({:linear} l: One Loc);
refines atomic action {:layer 1} _ { assume Set_Contains(spare->dom, l); call One_Get(spare, l); }
yield procedure {:layer 0} Make() returns ({:linear} l: One Loc);
refines atomic action {:layer 1} _ { call l := Loc_New(); }
yield procedure {:layer 1} New(b: bool) returns ({:linear} l: One Loc)
refines left action {:layer 2} _ { call l := Loc_New(); }
{
  if (b) { call l := Make(); } else { call l := Reuse(); }
}
