// An update may hit the same key.
// verdict: errors

var {:layer 0,1} unused: int;

procedure P(m: Map int int, j: int, k: int)
{
  assert Map_At(Map_Update(m, k, 1), j) == Map_At(m, j); //~ error[assertion]
}
