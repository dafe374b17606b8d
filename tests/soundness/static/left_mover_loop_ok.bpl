// A loop inside a left mover that counts up to a bound.
// verdict: verified

var {:layer 0,2} total: int;

left action {:layer 1} ADD(k: int) { total := total + k; }
yield procedure {:layer 0} Add(k: int); refines ADD;

yield left procedure {:layer 1} Up(n: int)
requires {:layer 1} 0 <= n;
ensures {:layer 1} total == old(total) + n;
{
  var i: int;

  i := 0;
  while (i < n)
  invariant {:layer 1} 0 <= i && i <= n;
  invariant {:layer 1} total == old(total) + i;
  {
    call Add(1);
    i := i + 1;
  }
}
