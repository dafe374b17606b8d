// A ghost flag that a thread started later relies on.
var {:layer 1,1} g: int;
var {:layer 0,1} x: int;
yield invariant {:layer 1} Zero();
preserves g == 0;
yield invariant {:layer 1} One_();
preserves g == 1;
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 1} Child()
requires call Zero();
{
  assert {:layer 1} g == 0;
}
yield procedure {:layer 1} Parent()
requires call Zero();
{
  var v: int;
  call v := Get();
  async call Child();
}
yield procedure {:layer 1} Restore()
requires call One_();
{
  call {:layer 1} g := Copy(1);
}
