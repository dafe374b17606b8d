// The thread is started two calls away, in mover procedures that call each other.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Zero(); preserves x == 0;

yield procedure {:layer 0} Set(v: int);
refines left action {:layer 1} _ { assert v == 1; x := v; }

yield procedure {:layer 1} Child()
requires call Zero();
{
  assert {:layer 1} x == 0;
}

yield left procedure {:layer 1} Even(n: int)
requires {:layer 1} x == 0 && 0 <= n;
preserves {:layer 1} x == 0;
measure {:layer 1} n;
{
  if (0 < n) { call Odd(n - 1); }
}

yield left procedure {:layer 1} Odd(n: int)
requires {:layer 1} x == 0 && 0 <= n;
preserves {:layer 1} x == 0;
measure {:layer 1} n;
{
  async call Child();
  if (0 < n) { call Even(n - 1); }
}

yield procedure {:layer 1} P()
requires call Zero();
{
  call Even(3);
  call Set(1); //~ error[async-sufficiency]
}
