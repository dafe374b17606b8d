// verdict: errors
// VERIFIED by civl, but WRONG: the async thread Q is started inside the mover procedure M; the caller P sees only "Modified" for M
// (yields/labels.rs LABELS row MoverHere: AsyncRule::Modified), so it may break what Q requires before the next yield.
// Run: x[t]=1; M: x[t]:=0, start Q(t); P: x[t]:=1; Q: assert x[t]==0 fails.
type Tid;
var {:layer 0,1} x: [Tid]int;
yield invariant {:layer 1} Inv0(t: Tid); preserves x[t] == 0;
yield invariant {:layer 1} Inv1({:linear} t: One Tid); preserves x[t->val] == 1;
yield procedure {:layer 0} Set({:linear} t: One Tid, v: int);
refines both action {:layer 1} _ { x[t->val] := v; }

yield procedure {:layer 1} Q(t: Tid)
requires call Inv0(t);
{
  assert {:layer 1} x[t] == 0;
}
yield left procedure {:layer 1} M({:linear} t: One Tid)
ensures {:layer 1} x == old(x)[t->val := 0];
{
  call Set(t, 0);
  async call Q(t->val);
}
yield procedure {:layer 1} P({:linear} t: One Tid)
requires call Inv1(t);
{
  call M(t);
  call Set(t, 1);
}
