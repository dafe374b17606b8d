// What an earlier arm took in is not held by the caller any more when a later one acts.
// Run: Give puts a into pool, CheckIn sees it there, and then P also sets x.
// verdict: errors
type Tid;
var {:layer 0,2} {:linear} pool: UnitMap (One Tid);
var {:layer 0,2} x: int;
yield procedure {:layer 0} Give({:linear_in} a: One Tid);
refines left action {:layer 1} _ { call One_Put(pool, a); }
yield procedure {:layer 0} See(t: Tid) returns (b: bool);
refines atomic action {:layer 1} _ { b := Set_Contains(pool->dom, One(t)); assume b; }
yield procedure {:layer 0} Evil();
refines atomic action {:layer 1} _ { x := 77; }
yield procedure {:layer 1} Q(t: Tid) returns (b: bool)
refines atomic action {:layer 2} _ { b := Set_Contains(pool->dom, One(t)); assume b; }
{ call b := See(t); }
yield procedure {:layer 1} P({:linear_in} a: One Tid, {:linear} c: One Tid)
refines atomic action {:layer 2} _ { call One_Put(pool, a); }
{
  var t: Tid;
  var b: bool;
  t := a->val;
  call Give(a) | b := Q(t);
  call Evil();
}
