// explore: exit 1 "starts with x = 1, y = true" "confirmed by replay"
//
// What is asserted is not what the `where` clause says.

var {:layer 0,1} x: int where x > 0;
var {:layer 0,1} y: bool where y;

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _
{
  assert x > 0 && !y;
}

yield procedure {:layer 1} Root()
{
  call Look();
}
