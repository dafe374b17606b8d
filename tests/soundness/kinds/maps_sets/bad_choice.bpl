// An empty set has no element to choose.
// verdict: errors

var {:layer 0,1} unused: int;

procedure P(a: [int]bool)
{
  assert Set_Contains(a, Choice(a)); //~ error[assertion]
}
