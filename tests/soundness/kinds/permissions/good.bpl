// Permissions are taken from where they are.
// verdict: verified

type Key;

var {:layer 0,1} {:linear} pool: UnitMap (One Key);
var {:layer 0,1} {:linear} store: Map (One Key) int;

atomic action {:layer 1} TAKE(k: Key) returns ({:linear} key: One Key)
{
  assert Map_Contains(pool, One(k));
  key := One(k);
  call One_Get(pool, key);
}

atomic action {:layer 1} TAKE_ENTRY(k: Key) returns ({:linear} key: One Key, v: int)
{
  assert Map_Contains(store, One(k));
  key := One(k);
  call v := Map_Get(store, key);
}

yield procedure {:layer 0} Take(k: Key) returns ({:linear} key: One Key); refines TAKE;
yield procedure {:layer 0} Give({:linear_in} key: One Key);
refines atomic action {:layer 1} _ { call One_Put(pool, key); }

yield invariant {:layer 1} InPool(k: Key);
preserves true;

yield procedure {:layer 1} SplitAndJoin({:linear_in} keys: UnitMap (One Key), k: Key) returns ({:linear} keys': UnitMap (One Key))
requires {:layer 1} Map_Contains(keys, One(k));
ensures {:layer 1} keys' == keys;
{
  var part: UnitMap (One Key);

  keys' := keys;
  call part := Map_Split(keys', Set_Singleton(One(k)));
  call InPool(k);
  call Map_Join(keys', part);
}

yield procedure {:layer 1} Different({:linear} a: One Key, {:linear} keys: UnitMap (One Key))
{
  call InPool(a->val);
  assert {:layer 1} !Map_Contains(keys, a);
  assert {:layer 1} !Map_Contains(pool, a);
}
