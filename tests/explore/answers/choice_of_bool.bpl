// explore: exit 1 "a deadlock, confirmed by replay"
//
// There is no third truth value.

var {:layer 0,1} one: bool;
var {:layer 0,1} two: bool;

atomic action {:layer 1} {:explore.init} Different()
{
  one := true;
  two := false;
}

yield procedure {:layer 0} Third() returns (k: bool);
refines atomic action {:layer 1} _
{
  assume k != one && k != two;
}

yield procedure {:layer 1} Root()
{
  var k: bool;

  call k := Third();
}
