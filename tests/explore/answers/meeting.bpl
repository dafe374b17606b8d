// explore: exit 1 "a deadlock, confirmed by replay"
//
// Two have to meet, and wait for a third.

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
  assume there >= 3;
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
