// expect: refused
// candidates
yield invariant {:layer 1} Y();
preserves true;

yield procedure {:layer 1} P({:linear_in} m0: Map int (One int), {:linear_in} t: One int)
requires {:layer 1} t == One(1) && Map_Contains(m0, 1) && Map_At(m0, 1) == One(2);
{
  var m: Map int (One int);
  var v, w: One int;
  m := m0;
  v := t;
  call v := Map_Get(m, v->val);
  call w := Map_Get(m, 1);
  call Y();
  assert {:layer 1} false;
}
