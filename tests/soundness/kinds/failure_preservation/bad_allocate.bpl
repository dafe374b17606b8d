// Moving an allocation before a read hides that the read went wrong.
// verdict: errors

var {:layer 0,1} {:linear} memory: Map (One Loc) int;

left action {:layer 1} ALLOCATE({:linear_in} loc: One Loc) { call Map_Put(memory, loc, 0); }
atomic action {:layer 1} READ(loc: Loc) returns (v: int)
{
  assert Map_Contains(memory, One(loc)); //~ error[failure-preservation] "ALLOCATE"
  v := Map_At(memory, One(loc));
}
