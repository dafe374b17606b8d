// explore --threads 2: exit 1 "confirmed by replay"
// explore --threads 3: exit 1 "confirmed by replay"
// explore --threads 1: exit 0
//
// It fails if one thread has two of three permissions, and another has the third.

type Tid;

var {:layer 0,1} {:explore.scope "Tid", 3} both: bool;

atomic action {:layer 1} {:explore.init} Nobody()
{
  both := false;
}

yield procedure {:layer 0} Set(to: bool);
refines atomic action {:layer 1} _
{
  both := to;
}

yield procedure {:layer 0} NotWithOthers();
refines atomic action {:layer 1} _
{
  assert !both;
}

yield invariant {:layer 1} Others();

yield procedure {:layer 1} {:explore.root} Two({:linear} a: One Tid, {:linear} b: One Tid)
{
  call Set(true);
  call Others();
  call Set(false);
}

yield procedure {:layer 1} {:explore.root} One_({:linear} a: One Tid)
{
  call NotWithOthers();
}
