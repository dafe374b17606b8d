// Parallel calls: `call A() | B()` runs its arms at the same time and waits for all of them.
//
// What each arm guarantees at its end holds together afterwards, because a yield invariant is stable: no other
// thread, and no other arm, can break it.

type Tid;

var {:layer 0,1} done: [Tid]bool;

yield invariant {:layer 1} Done({:linear} me: One Tid);
preserves done[me->val];

yield procedure {:layer 1} Both({:linear} a: One Tid, {:linear} b: One Tid)
{
  call Work(a) | Work(b);
  assert {:layer 1} done[a->val] && done[b->val];
}

yield procedure {:layer 1} Work({:linear} me: One Tid)
ensures call Done(me);
{
  call Finish(me);
}

yield procedure {:layer 0} Finish({:linear} me: One Tid);
refines both action {:layer 1} _
{
  done[me->val] := true;
}
