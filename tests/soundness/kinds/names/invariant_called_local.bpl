// verdict: errors
// The parameter `x` of an invariant called `local` is not the local `x` of the running procedure.

var {:layer 0, 1} x: int;
var {:layer 0, 1} y: int;

yield invariant {:layer 1} local(x: int);
preserves y >= x;

atomic action {:layer 1} SET(v: int)
modifies y;
{
  y := v;
}

yield procedure {:layer 0} Set(v: int);
refines SET;

yield procedure {:layer 1} P(x: int)
{
  call Set(x);
}
