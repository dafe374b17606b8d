// The key may not be in the map.
// verdict: errors

type Key;

yield procedure {:layer 1} P({:linear_in} m: Map (One Key) int, k: Key) returns ({:linear} m': Map (One Key) int, v: int)
{
  var key: One Key;

  m' := m;
  key := One(k);
  call v := Map_Get(m', key); //~ error[permission]
  call Map_Put(m', key, v);
}
