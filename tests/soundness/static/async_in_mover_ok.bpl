// The caller yields between the mover procedure that starts a thread and its own write; ghost code writes before.
// verdict: verified

type Tid;
var {:layer 0,1} x: [Tid]int;
var {:layer 1} ghost: int;

yield invariant {:layer 1} Inv0({:linear} t: One Tid); preserves x[t->val] == 0;

yield procedure {:layer 0} Set({:linear} t: One Tid, v: int);
refines both action {:layer 1} _ { x[t->val] := v; }

yield procedure {:layer 1} Q({:linear_in} t: One Tid)
requires call Inv0(t);
{
  assert {:layer 1} x[t->val] == 0;
}

yield left procedure {:layer 1} M({:linear_in} t: One Tid)
ensures {:layer 1} x == old(x)[t->val := 0];
{
  call Set(t, 0);
  async call Q(t);
}

yield invariant {:layer 1} Others(); preserves true;

yield procedure {:layer 1} P({:linear_in} t: One Tid, {:linear} u: One Tid)
{
  call {:layer 1} ghost := Copy(1);
  call M(t);
  call Others();
  call {:layer 1} ghost := Copy(2);
  call Set(u, 1);
}
