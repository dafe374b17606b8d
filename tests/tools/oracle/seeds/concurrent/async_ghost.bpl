// A ghost flag that a thread started later relies on.
// favour: insert_call, insert_ghost
var {:layer 1,1} g: int;
yield invariant {:layer 1} Zero();
preserves g == 0;
yield invariant {:layer 1} Raised();
preserves g == 1;
yield procedure {:layer 1} Child()
requires call Zero();
{
  assert {:layer 1} g == 0;
}
yield procedure {:layer 1} Parent()
requires call Zero();
{
  async call Child();
}
yield procedure {:layer 1} Dip()
requires call Raised();
{
  call {:layer 1} g := Copy(0);
  call {:layer 1} g := Copy(1);
}
