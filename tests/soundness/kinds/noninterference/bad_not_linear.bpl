// Without a permission another thread may write the same place.
// verdict: errors

type Tid;

var {:layer 0,1} mine: [Tid]int;

yield invariant {:layer 1} Mine(me: Tid, v: int);
preserves mine[me] == v;

yield procedure {:layer 0} Set(me: Tid, v: int);
refines atomic action {:layer 1} _ { mine[me] := v; }

yield procedure {:layer 1} P(me: Tid)
{
  call Set(me, 7); //~ error[noninterference] "P"
  call Mine(me, 7);
}
