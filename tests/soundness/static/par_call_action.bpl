// An action cannot run something in parallel: it is one step.
// verdict: errors

var {:layer 0,1} x: int;

both action {:layer 1} A() { }
both action {:layer 1} B() { }
atomic action {:layer 1} C()
{
  call A() | B(); //~ error[parallel-caller]
}
