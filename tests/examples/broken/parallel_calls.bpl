// Both arms get the same permission: that would be two threads with one identity.

type Tid;

var {:layer 0,1} done: [Tid]bool;

yield invariant {:layer 1} Done({:linear} me: One Tid);
preserves done[me->val];

yield procedure {:layer 1} Both({:linear} a: One Tid)
{
  call Work(a) | Work(a); //~ error[parallel-linear-twice] "a"
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
