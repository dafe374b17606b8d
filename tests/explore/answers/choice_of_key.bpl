// explore: exit 2 "no thread could go on, but with values beyond the scope one may" not "deadlock"
// explore --scope Key=3: exit 0 not "gaps"
//
// There may be more keys than in the scope.

type Key;

var {:layer 0,1} {:explore.threads 1} one: Key;
var {:layer 0,1} two: Key;

atomic action {:layer 1} {:explore.init} Different()
modifies one, two;
{
  havoc one, two;
  assume one != two;
}

yield procedure {:layer 0} Third() returns (k: Key);
refines atomic action {:layer 1} _
{
  assume k != one && k != two;
}

yield procedure {:layer 1} Root()
{
  var k: Key;

  call k := Third();
}
