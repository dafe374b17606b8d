// A yield between the call and the change.
// verdict: verified

var {:layer 0,1} x: int;

yield invariant {:layer 1} NotNegative();
preserves 0 <= x;

both action {:layer 1} STEP() { x := x + 1; }
yield procedure {:layer 0} Step(); refines STEP;

yield procedure {:layer 1} Child()
requires call NotNegative();
{
}

yield procedure {:layer 1} P()
requires call NotNegative();
{
  async call Child();
  call NotNegative();
  call Step();
}
