// Pools: the witness for a quantifier is one of the terms added to its pool.
// verdict: verified

var {:layer 0,1} x: int;

// The result exists: the pool offers x + 1.
left action {:layer 1} ABOVE(i: int) returns ({:pool "A"} j: int)
asserts {:add_to_pool "A", i + 1} true;
{
  assume i < j;
}

procedure Exists(f: [int]bool, k: int)
requires f[2 * k];
{
  assert {:add_to_pool "B", k} (exists {:pool "B"} i: int :: f[2 * i]);
}

procedure Forall(f: [int]bool, k: int)
requires (forall {:pool "C"} i: int :: f[2 * i]);
{
  assume {:add_to_pool "C", k + 1} true;
  assert f[2 * k + 2];
}

procedure Transfer(f: [int]bool, g: [int]bool)
requires (forall {:pool "D"} i: int :: f[i + i]);
requires (forall {:pool "D"} i: int :: f[i + i] ==> g[i + i]);
{
  assert (forall {:pool "D"} i: int :: {:add_to_pool "D", i} g[i + i]);
}
