// The upper action allows more, forgets a variable, and fails more often.
// verdict: verified

var {:layer 0,2} x: int;
var {:layer 0,1} steps: int;

atomic action {:layer 2} UP(k: int) returns (r: int)
{
  assert 0 <= k;
  x := x + k;
  assume r <= x;
}

atomic action {:layer 1} UP_EXACT(k: int) returns (r: int)
refines UP;
{
  assert -1 <= k;
  steps := steps + 1;
  x := x + k;
  r := x;
}
