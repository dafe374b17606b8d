// explore: exit 0 not "gaps"
//
// `Set` changes nothing, and no gate fails.

var {:layer 0,2} x: int;

atomic action {:layer 1,2} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Set();
refines atomic action {:layer 1} _
{
  x := 0;
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
