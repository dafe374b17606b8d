// expect: refused
// candidates
yield invariant {:layer 1} Y();
preserves true;

yield procedure {:layer 1} P({:linear_in} r0: Map int (Map (One int) int))
requires {:layer 1} Map_Contains(r0, 0) && Map_Contains(r0, 1) && Map_Contains(Map_At(r0, 0), One(5)) && Map_At(Map_At(r0, 0), One(5)) == 1;
{
  var r: Map int (Map (One int) int);
  var t, s: One int;
  var v, w: int;
  r := r0;
  t := One(5);
  s := One(5);
  v := 0;
  call v := Map_Get(r->val[v], t);
  call w := Map_Get(r->val[0], s);
  call Y();
  assert {:layer 1} false;
}
