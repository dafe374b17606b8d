// The permission may not be in the pool.
// verdict: errors

type Key;

yield procedure {:layer 1} P({:linear_in} keys: UnitMap (One Key), k: Key) returns ({:linear} keys': UnitMap (One Key), {:linear} key: One Key)
{
  keys' := keys;
  key := One(k);
  call One_Get(keys', key); //~ error[permission]
}
