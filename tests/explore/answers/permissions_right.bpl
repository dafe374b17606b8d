// explore: exit 0 "no violation for 2 threads" not "gaps"
// explore --threads 3 --scope Tid=4: exit 0 not "gaps"
// explore --threads 2 --scope Tid=40: exit 2 "dealt to the threads in a few of many ways"
//
// The same, and nothing fails.

type Tid;

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _
{
  assert x == 0;
}

yield procedure {:layer 1} Both({:linear} a: One Tid, {:linear} b: One Tid)
{
  call Look();
}
