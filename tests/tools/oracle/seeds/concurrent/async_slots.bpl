// Slots owned by permissions; threads are started that rely on a slot.
// favour: insert_call, move, duplicate
type Tid;
var {:layer 0,1} slot: [Tid]int;
yield invariant {:layer 1} Free(t: Tid);
preserves slot[t] == 0;
yield invariant {:layer 1} Is({:linear} t: One Tid, v: int);
preserves slot[t->val] == v;
yield procedure {:layer 0} Put({:linear} t: One Tid, v: int);
refines both action {:layer 1} _ { slot[t->val] := v; }
yield procedure {:layer 1} Seen(t: Tid)
requires call Free(t);
{
}
yield left procedure {:layer 1} Clear({:linear} t: One Tid)
ensures {:layer 1} slot == old(slot)[t->val := 0];
{
  call Put(t, 0);
}
yield procedure {:layer 1} Work({:linear_in} t: One Tid)
{
  call Clear(t);
  async call Seen(t->val);
}
yield procedure {:layer 1} Rest({:linear} t: One Tid)
requires call Is(t, 1);
{
  call Clear(t);
  call Put(t, 1);
}
