// A snapshot of two variables that forgets the version number and looks at `x` again instead. If `x` is the same as
// before, there may nevertheless have been writes: one that changed it and one that changed it back (the ABA problem).

var {:layer 0,2} x: int;
var {:layer 0,2} y: int;

yield invariant {:layer 1} OthersRun();
preserves true;

// Not stable: another thread may change `x` away from `a`, change `y`, and change `x` back.
yield invariant {:layer 1} SeenBoth(a: int, b: int);
preserves x == a ==> y == b;

yield procedure {:layer 1} Snapshot() returns (a: int, b: int)
refines atomic action {:layer 2} _
{
  a := x;
  b := y;
}
{
  var again: int;

  while (true)
  invariant {:yields} true;
  {
    call a := ReadX();
    call OthersRun();
    call b := ReadY();
    call SeenBoth(a, b);
    call again := ReadX();
    if (a == again) {
      break;
    }
  }
}

yield procedure {:layer 1} Update(a: int, b: int)
refines atomic action {:layer 2} _
{
  x := a;
  y := b;
}
{
  call Write(a, b); //~ error[noninterference] "SeenBoth"
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadX() returns (a: int);
refines atomic action {:layer 1} _
{
  a := x;
}

yield procedure {:layer 0} ReadY() returns (b: int);
refines atomic action {:layer 1} _
{
  b := y;
}

yield procedure {:layer 0} Write(a: int, b: int);
refines atomic action {:layer 1} _
{
  x := a;
  y := b;
}
