// The primitive moves the bound away through a path: the left mover never ends, so nobody may see what follows it.
// expect: faith

datatype D { D(a: int, b: int) }
var {:layer 0,2} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield left procedure {:layer 1} M(d': D)
requires {:layer 1} 0 < d'->a;
ensures {:layer 1} false;
{
  var i: int;
  var d: D;
  i := 0;
  d := d';
  while (i < d->a)
  invariant {:layer 1} !(d->a <= i);
  {
    i := i + 1;
    call Path_Store(d->a, i + 1);
  }
}

yield procedure {:layer 1} P(d: D)
requires {:layer 1} 0 < d->a;
refines atomic action {:layer 2} _ { x := 1; }
{
  call Set(77);
  call M(d);
}
