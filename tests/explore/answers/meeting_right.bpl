// explore: exit 0 not "gaps"
// explore --threads 1: exit 1 "a deadlock, confirmed by replay"
// explore --calls 2 --reductions none: exit 0 not "gaps"
//
// Two have to meet. That a thread has both permissions, and calls with one of them only, is no deadlock: the other
// thread could call with the second.

type Tid;

var {:layer 0,1} there: int;

atomic action {:layer 1} {:explore.init} Nobody()
{
  there := 0;
}

yield procedure {:layer 0} Arrive();
refines atomic action {:layer 1} _
{
  there := there + 1;
}

yield procedure {:layer 0} Await();
refines atomic action {:layer 1} _
{
  assume there >= 2;
}

yield invariant {:layer 1} Others();

yield procedure {:layer 1} {:explore.root} Meet({:linear} me: One Tid)
{
  call Arrive();
  call Others();
  call Await();
}

yield procedure {:layer 1} {:explore.root} Alone({:linear} a: One Tid, {:linear} b: One Tid)
{
}
