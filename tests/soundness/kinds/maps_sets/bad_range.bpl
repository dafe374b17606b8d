// The upper end does not belong to the range.
// verdict: not-verified

var {:layer 0,1} unused: int;

procedure P(n: int)
requires 0 <= n;
{
  assert Range(0, n)[n];
}
