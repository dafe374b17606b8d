// explore: exit 1 "thread 3" "with 3 threads," not "2 threads"
// explore --root Main: exit 0 "for 1 thread,"
// explore --root Add: exit 0 "for 2 threads,"
//
// The client has two threads, and `Main` has one of its own.

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Step();
refines atomic action {:layer 1} _
{
  assert x < 3;
  x := x + 1;
}

yield procedure {:layer 1} {:explore.root} Add(twice: bool)
{
  call Step();
}

yield procedure {:layer 1} {:explore.root} Main()
{
  call Add(true) | Add(false);
}
