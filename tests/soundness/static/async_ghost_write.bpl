// verdict: errors
// VERIFIED by civl, but WRONG: a ghost write (pure call) to a global after `async call Q()` is labelled Private for the async
// automaton (yields/labels.rs Situation::Pure), so Q starts with g == 1 although it requires g == 0.
// ghost write after async start
var {:layer 1,1} g: int;
yield invariant {:layer 1} Inv0(); preserves g == 0;
yield invariant {:layer 1} Inv1(); preserves g == 1;
yield procedure {:layer 1} Q()
requires call Inv0();
{
  assert {:layer 1} g == 0;
}
yield procedure {:layer 1} P()
requires call Inv1();
{
  call {:layer 1} g := Copy(0);
  async call Q();
  call {:layer 1} g := Copy(1);
}
