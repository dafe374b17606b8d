// verdict: verified
// CORRECT twin of N_old_of_local_as_bound and N_primitive_changes_bound: bounds that do not change: an input, a field nobody writes.
// Verified with --strict, no warning.
datatype D { D(a: int, b: int) }
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines left action {:layer 1} _ { x := 5; }
yield left procedure {:layer 1} M(n: int, d: D)
{
  var i, j: int;
  var e: D;
  i := 0; j := 0;
  while (i < n) { i := i + 1; }
  while (j < d->a) { j := j + 1; call Path_Store(e->b, j); }
}
yield procedure {:layer 1} P(n: int, d: D)
refines left action {:layer 2} _ { x := 5; }
{
  call Set(5);
  call M(n, d);
}
