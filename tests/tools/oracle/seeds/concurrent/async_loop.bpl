// Threads started in a loop.
// favour: move, insert_call, toggle_async
var {:layer 0,2} n: int;
yield invariant {:layer 1} Pos();
preserves 0 <= n;
yield procedure {:layer 0} Inc();
refines left action {:layer 1} _ { n := n + 1; }
yield procedure {:layer 1} One_()
requires call Pos();
refines left action {:layer 2} _ { n := n + 1; }
{
  call Inc();
}
yield procedure {:layer 1} Idle()
requires call Pos();
{
  assert {:layer 1} 0 <= n;
}
yield procedure {:layer 2} Main()
requires call Pos();
{
  var i: int;
  i := 0;
  while (i < 2)
  invariant {:yields} {:layer 1} true;
  invariant call Pos();
  {
    async call Idle();
    call Pos();
    i := i + 1;
  }
}
