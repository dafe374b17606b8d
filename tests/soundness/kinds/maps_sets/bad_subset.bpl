// The inclusion goes the other way.
// verdict: errors

var {:layer 0,1} unused: int;

procedure P(a: [int]bool, b: [int]bool, x: int)
requires Set_IsSubset(a, b);
requires Set_Contains(b, x);
{
  assert Set_Contains(a, x); //~ error[assertion]
}
