// verdict: errors
// The parameter `y` of an action called `old` is not the value of the global `y` at the start.

var {:layer 0, 2} x: int;
var {:layer 0, 2} y: int;

atomic action {:layer 1} \old(y: int)
refines TAKE;
modifies x;
{
  x := y;
}

atomic action {:layer 2} TAKE(y: int)
modifies x;
{
  call MOVE();
}

atomic action {:layer 1, 2} MOVE()
modifies x;
{
  x := y;
}
