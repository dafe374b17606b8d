// explore: exit 0 not "gaps"
//
// Runs start as `where` clauses of globals say.

var {:layer 0,1} x: int where x > 0;
var {:layer 0,1} y: bool where y;

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _
{
  assert x > 0 && y;
}

yield procedure {:layer 1} Root()
{
  call Look();
}
