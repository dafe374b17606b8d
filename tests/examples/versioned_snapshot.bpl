// A snapshot of two variables without a lock: read both, and accept what was read if no write came in between. Every
// write increments a version number, so "no write" is "the same version".

var {:layer 0,2} x: int;
var {:layer 0,2} y: int;
var {:layer 0,1} version: int;

// If the version is still the one read together with `a`, then `x` is still `a`.
yield invariant {:layer 1} SeenX(v: int, a: int);
preserves v <= version;
preserves v == version ==> x == a;

// And `y` is still `b`.
yield invariant {:layer 1} SeenBoth(v: int, a: int, b: int);
preserves v <= version;
preserves v == version ==> x == a && y == b;

yield procedure {:layer 1} Snapshot() returns (a: int, b: int)
refines atomic action {:layer 2} _
{
  a := x;
  b := y;
}
{
  var before, after: int;

  while (true)
  invariant {:yields} true;
  {
    call before, a := ReadX();
    call SeenX(before, a);
    call b := ReadY();
    call SeenBoth(before, a, b);
    call after := ReadVersion();
    if (before == after) {
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
  call Write(a, b);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadX() returns (v: int, a: int);
refines atomic action {:layer 1} _
{
  v := version;
  a := x;
}

yield procedure {:layer 0} ReadY() returns (b: int);
refines atomic action {:layer 1} _
{
  b := y;
}

yield procedure {:layer 0} ReadVersion() returns (v: int);
refines atomic action {:layer 1} _
{
  v := version;
}

yield procedure {:layer 0} Write(a: int, b: int);
refines atomic action {:layer 1} _
{
  x := a;
  y := b;
  version := version + 1;
}
