// A value that is not a permission may be equal to one.
// verdict: errors

type Key;

yield invariant {:layer 1} Yield();
preserves true;

yield procedure {:layer 1} P({:linear} a: One Key, b: One Key)
{
  call Yield();
  assert {:layer 1} a != b; //~ error[assertion]
}
