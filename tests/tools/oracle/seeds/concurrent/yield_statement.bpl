// Yield statements with conditions, and code that waits.
type Tid;
var {:layer 0,1} slots: [Tid]int;
var {:layer 0,1} x: int;
yield procedure {:layer 0} Write({:linear} me: One Tid, v: int);
refines atomic action {:layer 1} _ { slots[me->val] := v; }
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 1} P({:linear} me: One Tid, n: int)
requires call AtLeast(n);
{
  call Write(me, 7);
  yield slots[me->val] == 7 && n <= x;
  assert {:layer 1} slots[me->val] == 7;
  call Inc();
  yield n <= x;
  assert {:layer 1} n <= x;
}
yield invariant {:layer 1} AtLeast(n: int);
preserves n <= x;
