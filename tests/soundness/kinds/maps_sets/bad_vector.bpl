// The index is one too high.
// verdict: not-verified

var {:layer 0,1} unused: int;

procedure P(v: Vec int, x: int)
{
  assert Vec_Nth(Vec_Append(v, x), Vec_Len(v) - 1) == x;
}
