// expect: refused
// The field `a` is of ordinary type (a map type holds nothing), so `r->a := mk` copies it freely; and yet
// `One_Get(r->a[0], ..)` is allowed, since the root `r` is available, and hands out what it finds there as permissions.
// Run: P(R(_, One(1)), mk) with mk[0] = {One(5)}: t and s both hold One(5) at the yield; then `assert false` is reached.
datatype R { R(a: [int](UnitMap (One int)), u: One int) }

yield invariant {:layer 1} Y();
preserves true;

yield procedure {:layer 1} P({:linear_in} r0: R, mk: [int](UnitMap (One int)))
requires {:layer 1} Set_Contains(mk[0]->dom, One(5));
{
  var r: R;
  var t, s: One int;
  r := r0;
  t := One(5);
  s := One(5);
  r->a := mk;
  call One_Get(r->a[0], t);
  r->a := mk;
  call One_Get(r->a[0], s);
  call Y();
  assert {:layer 1} false;
}
