// expect: refused
// map_put into array
datatype R { R(a: [int](Map (One int) int), u: One int) }
yield invariant {:layer 1} Y();
preserves true;
yield procedure {:layer 1} P({:linear_in} r0: R, {:linear_in} t: One int)
{
  var r: R;
  var save: [int](Map (One int) int);
  var s: One int;
  var v: int;
  r := r0;
  s := t;
  save := r->a;
  call Map_Put(r->a[0], s, 1);
  save := r->a;
  s := One(t->val);
  call v := Map_Get(r->a[0], s);
  r->a := save;
  call v := Map_Get(r->a[0], t);
  call Y();
  assert {:layer 1} false;
}
