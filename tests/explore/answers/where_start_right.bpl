// explore: exit 0 not "gaps"
//
// An action that makes the initial state keeps to `where` clauses.

var {:layer 0,1} x: int where x > 0;
var {:layer 0,1} y: bool where y;

atomic action {:layer 1} {:explore.init} Some()
modifies x, y;
{
  var b: bool;

  x := if (b) then 1 else 0;
  y := b;
}

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _
{
  assert x > 0 && y;
}

yield procedure {:layer 1} Root()
{
  call Look();
}
