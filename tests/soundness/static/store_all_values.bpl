// One permission under two keys: taken out twice, it would be held twice.
// verdict: errors

yield invariant {:layer 1} I({:linear} p: One int);
preserves true;

yield procedure {:layer 1} P({:linear_in} a: One int, {:linear_in} b: One int)
{
  var m: Map int (One int);
  var p, q: One int;

  call m := Map_MakeEmpty();
  call Map_Put(m, 1, a);
  call Map_Put(m, 2, b);
  call Path_Store(m->val, (lambda i: int :: One(5))); //~ error[linear-path]
  call p := Map_Get(m, 1);
  call q := Map_Get(m, 2);
  call I(p) | I(q);
  assert {:layer 1} false;
}
