// Nearest good neighbour of a6: a linear datatype without recursion.
// verdict: verified

datatype L { N(), C(h: One int) }
yield invariant {:layer 1} Y(); preserves true;
yield procedure {:layer 1} P({:linear} l: L, {:linear} one: One int)
{
  call Y();
  assert {:layer 1} l is C ==> l->h != one;
}
