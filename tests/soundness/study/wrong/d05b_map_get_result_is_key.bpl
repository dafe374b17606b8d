// expect: refused
// candidates
yield invariant {:layer 1} Y();
preserves true;

yield procedure {:layer 1} P({:linear_in} m0: Map (One int) (One int))
requires {:layer 1} Map_Contains(m0, One(5)) && Map_At(m0, One(5)) == One(6);
{
  var m: Map (One int) (One int);
  var a, b, c: One int;
  m := m0;
  a := One(5);
  call a := Map_Get(m, a);
  b := One(5);
  call c := Map_Get(m, b);
  call Y();
  assert {:layer 1} false;
}
