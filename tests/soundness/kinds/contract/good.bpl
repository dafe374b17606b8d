// Contracts, assertions and loop invariants of yield procedures.
// verdict: verified

var {:layer 0,1} x: int;

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _ { x := x + 1; }

yield procedure {:layer 1} UpTo(n: int) returns (i: int)
requires {:layer 1} 0 <= n;
requires call Reached(0);
ensures {:layer 1} i == n;
ensures call Reached(n);
{
  i := 0;
  while (i < n)
  invariant {:yields} true;
  invariant {:layer 1} i <= n;
  invariant call Reached(i);
  {
    call Increment();
    i := i + 1;
  }
  assert {:layer 1} i == n;
}

yield procedure {:layer 1} Client()
requires call Reached(0);
{
  var i: int;

  call i := UpTo(3);
  assert {:layer 1} i == 3;
  assert {:layer 1} 3 <= x;
}
