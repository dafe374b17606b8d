// expect: refused
datatype R { R(a: [int](UnitMap (One int)), u: One int) }
yield invariant {:layer 1} Y();
preserves true;
yield procedure {:layer 1} P({:linear_in} u0: One int, {:linear_in} u1: One int, mk: [int](UnitMap (One int)))
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  var r, q: R;
  var t, s: One int;
  r := R(mk, u0);
  q := R(mk, u1);
  t := One(5);
  s := One(5);
  call One_Get(r->a[0], t);
  call One_Get(q->a[0], s);
  call Y();
  assert {:layer 1} false;
}
