// Section 14.6: a recursive linear datatype. The permissions in a list are not counted by unfolding it.
// Expected: a clear answer, no crash: lists own their elements, so this program verifies or is declined.
// verdict: errors

datatype L { N(), C(h: One int, t: L) }
yield invariant {:layer 1} Y(); preserves true;
yield procedure {:layer 1} P({:linear} l: L)
{
  call Y();
  assert {:layer 1} false; //~ error[assertion]
}
