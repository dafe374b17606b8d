// expect: refused
// The same by action refinement: A_Reuse hands out a used location and claims to refine an action that makes one.
var {:layer 0,3} {:linear} pool: UnitMap (One Loc);
var {:layer 0,1} {:linear} spare: UnitMap (One Loc);
atomic action {:layer 1} A_Reuse() returns ({:linear} l: One Loc)
refines A_New;
{ assume Set_Contains(spare->dom, l); call One_Get(spare, l); }
left action {:layer 2} A_New() returns ({:linear} l: One Loc)
{ call l := Loc_New(); }
yield procedure {:layer 0} New() returns ({:linear} l: One Loc);
refines A_Reuse;
