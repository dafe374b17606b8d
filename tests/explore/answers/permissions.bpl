// explore: exit 1 "calls Both(One(Tid#0), One(Tid#1))" "confirmed by replay"
// explore --threads 1: exit 1 "confirmed by replay"
// explore --threads 3 --scope Tid=3: exit 1 "confirmed by replay"
// explore --scope Tid=1: exit 2 "Both was never called"
//
// A root that needs two permissions is called by a thread that has both, however many threads there are.

type Tid;

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _
{
  assert x != 0;
}

yield procedure {:layer 1} Both({:linear} a: One Tid, {:linear} b: One Tid)
{
  call Look();
}
