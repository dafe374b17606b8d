// expect: refused
// Map with linear key and array value
yield invariant {:layer 1} Y();
preserves true;
yield procedure {:layer 1} P({:linear_in} r0: Map (One int) ([int](UnitMap (One bool))), mk: [int](UnitMap (One bool)), {:linear_in} k0: One int)
requires {:layer 1} Set_Contains(mk[0]->dom, One(true));
{
  var r: Map (One int) ([int](UnitMap (One bool)));
  var t, s: One bool;
  var k: One int;
  var m: [int](UnitMap (One bool));
  r := r0; k := k0;
  t := One(true);
  s := One(true);
  m := mk;
  call Map_Put(r, k, m);
  call One_Get(r->val[k0][0], t);
  call Path_Store(r->val[k0], m);
  call One_Get(r->val[k0][0], s);
  call Y();
  assert {:layer 1} false;
}
