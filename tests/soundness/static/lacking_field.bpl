// Two values built by `C` would both be rebuilt by `A` with the same arbitrary permission.
// verdict: errors

datatype D { A(p: One int, x: int), C() }

yield invariant {:layer 1} I({:linear} p: One int);
preserves true;

yield procedure {:layer 1} P()
{
  var d, e: D;
  var p, q: One int;
  var i, j: int;

  d := C();
  e := C();
  d->x := 5; //~ error[assign-lacking-field]
  e->x := 5; //~ error[assign-lacking-field]
  A(p, i) := d;
  A(q, j) := e;
  call I(p) | I(q);
  assert {:layer 1} false;
}
