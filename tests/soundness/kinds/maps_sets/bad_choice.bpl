// An empty set has no element to choose.
// verdict: not-verified

var {:layer 0,1} unused: int;

procedure P(a: [int]bool)
{
  assert Set_Contains(a, Choice(a));
}
