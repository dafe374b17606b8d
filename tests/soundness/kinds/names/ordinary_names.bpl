// verdict: verified
// The same shapes with what does hold: parameters and locals may be called like globals.

var {:layer 0, 1} x: int;
var {:layer 0, 1} y: int;

yield invariant {:layer 1} snap(x: int);
preserves y >= x;

atomic action {:layer 1} RAISE(v: int)
modifies y;
{
  if (y < v) {
    y := v;
  }
}

yield procedure {:layer 0} Raise(v: int);
refines RAISE;

yield procedure {:layer 1} P(x: int)
ensures call snap(x);
{
  call Raise(x);
}

yield procedure {:layer 1} local(x: int)
{
  call Raise(x);
  yield y >= x;
}
