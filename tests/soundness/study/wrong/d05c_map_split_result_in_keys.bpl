// expect: refused
// candidates
yield invariant {:layer 1} Y();
preserves true;

yield procedure {:layer 1} P({:linear_in} m0: UnitMap (One int))
requires {:layer 1} Set_Contains(m0->dom, One(5));
{
  var m: UnitMap (One int);
  var s: UnitMap (One int);
  var a, b: One int;
  m := m0;
  call s := Map_MakeEmpty();
  call s := Map_Split(m, (lambda x: One int :: x == One(5) && !Set_Contains(s->dom, x)));
  a := One(5);
  b := One(5);
  call One_Get(s, a);
  call One_Get(m, b);
  call Y();
  assert {:layer 1} false;
}
