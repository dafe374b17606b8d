// What the one action makes new, the other one does not keep: they commute.
// verdict: verified

var {:layer 0,1} s: [One Loc]int;

both action {:layer 1} A() returns ({:linear} l: One Loc)
{
  call l := Loc_New();
  s[l] := 1;
}

both action {:layer 1} B({:linear} p: One Loc)
{
  s[p] := 2;
}

yield procedure {:layer 0} a() returns ({:linear} l: One Loc);
refines A;

yield procedure {:layer 0} b({:linear} p: One Loc);
refines B;
