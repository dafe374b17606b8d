// Left movers, one other, right movers side by side.
// favour: swap_arms, add_arm, mover
type Tid;
var {:layer 0,2} x: int;
var {:layer 0,2} a: [Tid]int;
yield procedure {:layer 0} Own({:linear} t: One Tid, v: int);
refines both action {:layer 1} _ { a[t->val] := v; }
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 1} All({:linear} t: One Tid, {:linear} u: One Tid)
refines atomic action {:layer 2} _ { a[t->val] := 1; x := x + 1; a[u->val] := 2; }
{
  call Own(t, 1) | Inc() | Own(u, 2);
}
