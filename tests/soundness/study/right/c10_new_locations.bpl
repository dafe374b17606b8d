// expect: verified
// CORRECT: each location that an action makes new is made new by the code that refines it, in one of several ways.
var {:layer 0,3} {:linear} pool: UnitMap (One Loc);
yield procedure {:layer 0} Make() returns ({:linear} l: One Loc);
refines atomic action {:layer 1} _ { call l := Loc_New(); }
yield procedure {:layer 0} Keep({:linear_in} l: One Loc);
refines atomic action {:layer 1,3} _ { call One_Put(pool, l); }

// by the action of a callee
yield procedure {:layer 1} New() returns ({:linear} l: One Loc)
refines left action {:layer 2} A_New { call l := Loc_New(); }
{
  call l := Make();
}
// by a call of its own, on each of two paths, and a loop that makes others before
yield procedure {:layer 1} Choose(b: bool) returns ({:linear} l: One Loc)
refines left action {:layer 2} _ { call l := Loc_New(); }
{
  var {:linear} other: One Loc;
  var i: int;
  i := 0;
  while (i < 3)
  invariant {:layer 1} i <= 3;
  { call other := Loc_New(); i := i + 1; }
  if (b) { call l := Make(); } else { call l := Loc_New(); }
}
yield invariant {:layer 1} Yield();
// made in one fragment, made visible in another
yield procedure {:layer 1} Fill()
refines atomic action {:layer 2} _
{ var {:linear} l: One Loc; call l := Loc_New(); call One_Put(pool, l); }
{
  var {:linear} l: One Loc;
  call l := Make();
  call Yield();
  call Keep(l);
}
// by an action that refines
right action {:layer 2} A_Fill() returns ({:linear} l: One Loc)
refines A_Twice;
{ call l := Loc_New(); }
left action {:layer 3} A_Twice() returns ({:linear} l: One Loc)
{ call l := Loc_New(); }
