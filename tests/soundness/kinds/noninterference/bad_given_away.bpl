// The permission given away may be used by its new owner.
// verdict: errors

type Tid;

var {:layer 0,1} {:linear} pool: UnitMap (One Tid);
var {:layer 0,1} mine: [Tid]int;

yield invariant {:layer 1} Mine(me: Tid, v: int);
preserves mine[me] == v;

yield procedure {:layer 0} Set({:linear} me: One Tid, v: int);
refines atomic action {:layer 1} _ { mine[me->val] := v; }

yield procedure {:layer 0} Give({:linear_in} me: One Tid);
refines left action {:layer 1} _ { call One_Put(pool, me); }

yield procedure {:layer 1} P({:linear_in} me: One Tid)
{
  var id: Tid;

  id := me->val;
  call Set(me, 7); //~ error[noninterference] "P"
  call Mine(id, 7);
  call Give(me);
}
