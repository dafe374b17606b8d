// expect: verified
// right: every step of the path is a linear type
datatype R { R(a: Map int (UnitMap (One int)), u: One int) }
yield invariant {:layer 1} Y();
preserves true;
yield procedure {:layer 1} P({:linear_in} r0: R)
requires {:layer 1} Map_Contains(r0->a, 0) && Set_Contains(Map_At(r0->a, 0)->dom, One(5));
{
  var r: R;
  var t: One int;
  r := r0;
  t := One(5);
  call One_Get(r->a->val[0], t);
  call Y();
  assert {:layer 1} t->val == 5;
}
