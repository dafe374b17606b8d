// explore --layer 1: exit 1 "calls Look()" "confirmed by replay"
// explore --layer 1 --root Look: exit 0 not "gaps"
//
// The gate of `Look` holds at its call, and then another thread of the client calls `Set`.

var {:layer 0,2} x: int;

atomic action {:layer 1,2} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Check();
refines atomic action {:layer 1,2} _
{
  assert x == 0;
}

yield procedure {:layer 0} Set1();
refines atomic action {:layer 1,2} _
{
  x := 1;
}

yield procedure {:layer 1} Look()
refines atomic action {:layer 2} _
{
  assert x == 0;
}
{
  call Check();
}

yield procedure {:layer 1} Set()
refines atomic action {:layer 2} _
{
  x := 1;
}
{
  call Set1();
}
