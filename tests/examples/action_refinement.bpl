// Action refinement: an exact read is not a mover, but "some value that the counter has reached" is.
//
// At layer 1 `Read` is the action READ. From layer 2 on it is READ_STALE, which promises less and therefore
// moves right over increments: at layer 2 no yield is needed between the two calls in `Client`.

var {:layer 0,2} count: int;

right action {:layer 2} READ_STALE() returns (n: int)
{
  assume n <= count;
}

atomic action {:layer 1} READ() returns (n: int)
refines READ_STALE;
{
  n := count;
}

atomic action {:layer 1,2} INCREMENT()
{
  count := count + 1;
}

// At layer 1 the read is exact and not a mover: other threads run here.
yield invariant {:layer 1} Anything();
preserves true;

yield procedure {:layer 2} Client()
{
  var n: int;

  call n := Read();
  call Anything();
  call Increment();
  assert {:layer 2} n < count;
}

yield procedure {:layer 0} Read() returns (n: int);
refines READ;

yield procedure {:layer 0} Increment();
refines INCREMENT;
