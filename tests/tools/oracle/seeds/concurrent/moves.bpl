// A permission moves between locals.
// favour: leaf, swap, duplicate
type Tid;
var {:layer 0,1} slot: [Tid]int;
yield invariant {:layer 1} Is({:linear} t: One Tid, v: int);
preserves slot[t->val] == v;
yield procedure {:layer 0} Put({:linear} t: One Tid, v: int);
refines both action {:layer 1} _ { slot[t->val] := v; }
yield procedure {:layer 1} Work({:linear_in} a: One Tid, {:linear} c: One Tid)
{
  var b, d: One Tid;
  b := a;
  call Put(b, 1);
  call Is(b, 1);
  d := One(b->val);
  call {:layer 0,1} Move(b, d);
  call Is(d, 1);
  assert {:layer 1} slot[d->val] == 1;
}
