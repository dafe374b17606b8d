// Between an asynchronous call that relies on a yield invariant and the next yield, no shared variable may change.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Zero();
preserves x == 0;

both action {:layer 1} STEP() { x := x + 1; }
yield procedure {:layer 0} Step(); refines STEP;

yield procedure {:layer 1} Child()
requires call Zero();
{
}

yield procedure {:layer 1} P()
requires call Zero();
{
  async call Child();
  call Step(); //~ error[async-sufficiency] "layer 1"
}
