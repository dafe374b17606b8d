// Steps of procedures without body that keep what others rely on, and a permission that keeps them apart.
// verdict: verified
type Tid;
var {:layer 0,2} x: int;
var {:layer 0,2} owner: [Tid]int;
yield procedure {:layer 1} Inc();
refines atomic action {:layer 2} _ { x := x + 1; }
yield procedure {:layer 1} Own({:linear} me: One Tid, v: int);
refines atomic action {:layer 2} _ { owner[me->val] := v; }
yield invariant {:layer 1} AtLeast(n: int); preserves n <= x;
yield invariant {:layer 1} Mine({:linear} me: One Tid, v: int); preserves owner[me->val] == v;
yield procedure {:layer 1} R(n: int, {:linear} me: One Tid, v: int)
requires call AtLeast(n);
requires call Mine(me, v);
{
  call AtLeast(n) | Mine(me, v);
  assert {:layer 1} n <= x && owner[me->val] == v;
}
