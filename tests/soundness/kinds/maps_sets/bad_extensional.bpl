// Agreeing on natural numbers is not agreeing everywhere.
// verdict: not-verified

var {:layer 0,1} unused: int;

procedure P(f: [int]int, g: [int]int)
requires (forall i: int :: 0 <= i ==> f[i] == g[i]);
{
  assert f == g;
}
