// Asynchronous calls: the callee runs in a thread of its own, and nobody waits for it.
//
// `async call {:sync}` treats the callee as if it ran at once. That is right if the callee is a left mover: its
// steps can be moved back in time to the place of the call.
// A plain `async call` is for procedures that promise nothing to their callers (no `refines`).

var {:layer 0,2} hits: int;

yield invariant {:layer 2} HitsReached(n: int);
preserves n <= hits;

// Starts any number of workers. Each needs its precondition where it is started.
yield procedure {:layer 2} Main()
requires call HitsReached(0);
{
  while (*)
  invariant {:yields} true;
  invariant call HitsReached(0);
  {
    async call Worker();
  }
}

yield procedure {:layer 2} Worker()
requires call HitsReached(0);
{
  call HitTwice();
  assert {:layer 2} 2 <= hits;
}

// Two hits, whenever they happen, are one step of two.
yield procedure {:layer 1} HitTwice()
refines atomic action {:layer 2} _
{
  hits := hits + 2;
}
{
  async call {:sync} Hit();
  async call {:sync} Hit();
}

// A left mover, because nothing else at layer 1 looks at the number of hits.
yield procedure {:layer 0} Hit();
refines left action {:layer 1} _
{
  hits := hits + 1;
}
