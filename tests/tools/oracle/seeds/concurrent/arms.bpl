// Parallel calls: owners side by side, with invariants about their slots.
// favour: add_arm, swap_arms
type Tid;
var {:layer 0,1} done: [Tid]bool;
yield invariant {:layer 1} Done({:linear} me: One Tid);
preserves done[me->val];
yield procedure {:layer 0} Finish({:linear} me: One Tid);
refines both action {:layer 1} _ { done[me->val] := true; }
yield procedure {:layer 1} Work({:linear} me: One Tid)
ensures call Done(me);
{
  call Finish(me);
}
yield procedure {:layer 1} Keep({:linear} me: One Tid)
preserves call Done(me);
{
}
yield procedure {:layer 1} Pair({:linear} a: One Tid, {:linear} b: One Tid)
{
  call Work(a) | Work(b);
  assert {:layer 1} done[a->val] && done[b->val];
  call Keep(a) | Done(b);
  assert {:layer 1} done[a->val] && done[b->val];
}
