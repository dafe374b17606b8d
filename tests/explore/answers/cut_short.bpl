// explore: exit 2 "a gate of layer 2 failed, which ended" not "confirmed"
// explore --layer 2: exit 0 not "gaps"
//
// `Set` does not refine what `Nothing` says, so layer 2 does not see that `Check` fails.

var {:layer 0,2} x: int;

atomic action {:layer 1,2} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Set();
refines atomic action {:layer 1} _
{
  x := 1;
}

yield procedure {:layer 0} Check();
refines atomic action {:layer 1,2} _
{
  assert x == 0;
}

yield invariant {:layer 1} Others1();

yield invariant {:layer 2} Others2();

yield procedure {:layer 1} Nothing()
refines atomic action {:layer 2} _
{
}
{
  call Set();
}

yield procedure {:layer 2} Root()
{
  call Nothing();
  call Others1() | Others2();
  call Check();
}
