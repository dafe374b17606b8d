// A yield invariant in a contract that relies on a permission needs a parameter that has one.
// verdict: verified

type Tid;

var {:layer 0,1} owner: Option Tid;

yield invariant {:layer 1} Holding({:linear} me: One Tid);
preserves owner == Some(me->val);

yield procedure {:layer 1} P({:linear} me: One Tid)
requires call Holding(me);
{
}
