// Yield invariants that no step of any thread breaks.
// verdict: verified

type Tid;

var {:layer 0,1} x: int;
var {:layer 0,1} mine: [Tid]int;
var {:layer 0,1} owner: Option Tid;

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield invariant {:layer 1} Mine({:linear} me: One Tid, v: int);
preserves mine[me->val] == v;

yield invariant {:layer 1} Holding({:linear} me: One Tid);
preserves owner == Some(me->val);

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _ { x := x + 1; }

yield procedure {:layer 0} Set({:linear} me: One Tid, v: int);
refines atomic action {:layer 1} _ { mine[me->val] := v; }

yield procedure {:layer 0} Acquire({:linear} me: One Tid);
refines right action {:layer 1} _ { assume owner is None; owner := Some(me->val); }

yield procedure {:layer 1} P({:linear} me: One Tid)
requires call Reached(0);
{
  call Increment();
  call Reached(1);
  call Set(me, 7);
  call Reached(1) | Mine(me, 7);
  call Acquire(me);
  call Reached(1) | Mine(me, 7) | Holding(me);
}
