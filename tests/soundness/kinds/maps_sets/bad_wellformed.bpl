// An ordinary map may have values outside its domain.
// verdict: errors

var {:layer 0,1} unused: int;

procedure P(m: Map int int)
requires !Map_Contains(m, 0);
{
  assert Map_At(m, 0) == Default(); //~ error[assertion]
}
