// verdict: errors
// The parameter `x` of a global invariant called `old` is not the value of the global `x` at the start.

var {:layer 0, 1} x: int;
var {:layer 0, 1} y: int;

invariant {:layer 1} \old(x: int);
preserves y >= x;

atomic action {:layer 1} TAKE()
modifies y;
{
  y := x;
}

yield procedure {:layer 0} Take();
refines TAKE;
