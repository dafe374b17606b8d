// An action may call other actions one after the other.
// verdict: verified

var {:layer 0,1} x: int;

both action {:layer 1} A() { }
both action {:layer 1} B() { }
atomic action {:layer 1} C()
{
  call A();
  call B();
}
