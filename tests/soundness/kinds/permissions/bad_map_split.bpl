// Not all keys asked for may be there.
// verdict: errors

type Key;

yield procedure {:layer 1} P({:linear_in} m: UnitMap (One Key), ks: [One Key]bool) returns ({:linear} m': UnitMap (One Key), {:linear} part: UnitMap (One Key))
{
  m' := m;
  call part := Map_Split(m', ks); //~ error[permission]
}
