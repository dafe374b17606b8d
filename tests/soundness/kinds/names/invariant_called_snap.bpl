// verdict: errors
// The parameter `x` of an invariant called `snap` is no remembered value of the global `x`.

var {:layer 0, 1} x: int;
var {:layer 0, 1} y: int;

yield invariant {:layer 1} snap(x: int);
preserves y >= x;

atomic action {:layer 1} TAKE()
modifies y;
{
  y := x;
}

yield procedure {:layer 0} Take();
refines TAKE;

yield procedure {:layer 1} P()
{
  call Take();
}
