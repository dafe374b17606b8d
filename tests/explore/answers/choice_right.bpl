// explore: exit 0 not "gaps"
//
// The condition says which numbers can be chosen.

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Pick() returns (v: int);
refines atomic action {:layer 1} _
{
  assume x + 5 < v && v <= x + 7;
}

yield procedure {:layer 1} Root()
{
  var v: int;

  call v := Pick();
}
