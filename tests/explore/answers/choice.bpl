// explore: exit 2 "no thread could go on, but with values beyond the scope one may" not "deadlock"
// explore --reductions none: exit 2 "values beyond the scope" not "deadlock"
// explore --scope int=7: exit 0 not "gaps"
//
// A number above 5 exists, but not among those that are chosen.

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Pick() returns (v: int);
refines atomic action {:layer 1} _
{
  assume v > 5;
}

yield procedure {:layer 1} Root()
{
  var v: int;

  call v := Pick();
}
