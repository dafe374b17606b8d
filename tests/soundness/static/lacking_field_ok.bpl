// `Path_Store` asks for the constructor.
// verdict: verified

datatype D { A(p: One int, x: int), C() }

yield invariant {:layer 1} I({:linear} p: One int);
preserves true;

yield procedure {:layer 1} P({:linear_in} p': One int)
{
  var d: D;
  var p: One int;
  var i: int;

  p := p';
  d := A(p, 3);
  call Path_Store(d->x, 5);
  A(p, i) := d;
  assert {:layer 1} p == p' && i == 5;
  call I(p);
}
