// Sets of permissions split and joined in locals.
// favour: swap, leaf, linear_kind
type Tid;
yield invariant {:layer 1} Any(); preserves true;
yield procedure {:layer 1} Part({:linear_in} all: UnitMap (One Tid), t: One Tid) returns ({:linear} rest: UnitMap (One Tid))
requires {:layer 1} Set_Contains(all->dom, t);
ensures {:layer 1} rest->dom == all->dom;
{
  var part: UnitMap (One Tid);
  rest := all;
  call {:layer 0,1} part := Map_Split(rest, Set_Singleton(t));
  call {:layer 0,1} Map_Join(rest, part);
}
yield procedure {:layer 1} Use({:linear_in} all: UnitMap (One Tid), t: One Tid)
requires {:layer 1} Set_Contains(all->dom, t);
{
  var rest: UnitMap (One Tid);
  call rest := Part(all, t);
  assert {:layer 1} Set_Contains(rest->dom, t);
}
