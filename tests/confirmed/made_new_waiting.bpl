// A waiting thread does not hold what another one makes new: right, refused, and no run is confirmed.
// verdict: errors
// candidates

var {:layer 0,1} s: [One Loc]int;

atomic action {:layer 1} A() returns ({:linear} l: One Loc)
{
  call l := Loc_New();
  s[l] := 1;
}

yield procedure {:layer 0} a() returns ({:linear} l: One Loc);
refines A;

yield invariant {:layer 1} I({:linear} p: One Loc);
preserves s[p] == 0;

yield procedure {:layer 1} P({:linear} q: One Loc)
preserves call I(q);
{
  var {:linear} l: One Loc;
  call l := a(); //~ error[noninterference]
} //~ error[postcondition]
