// Movers that end by counting or by a measure.
// favour: leaf, insert_assign
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines left action {:layer 1} _ { x := 5; }
yield left procedure {:layer 1} Count(n: int)
{
  var i, m: int;
  i := 0;
  m := n;
  while (i < m)
  invariant {:layer 1} 0 <= i;
  {
    i := i + 1;
  }
}
yield left procedure {:layer 1} Down(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  if (n > 0) { call Down(n - 1); }
}
yield procedure {:layer 1} P()
refines left action {:layer 2} _ { x := 5; }
{
  call Set(5);
  call Count(2);
  call Down(1);
}
