// The value of one key is stored where it holds no permission.
// verdict: verified

yield invariant {:layer 1} I({:linear} m: Map (One int) int);
preserves true;

yield procedure {:layer 1} P({:linear_in} a: One int, {:linear_in} b: One int)
{
  var m: Map (One int) int;

  call m := Map_MakeEmpty();
  call Map_Put(m, a, 1);
  call Path_Store(m->val[a], 7);
  call I(m);
  assert {:layer 1} m->val[a] == 7;
}
