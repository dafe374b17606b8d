// The step of a procedure without body may fail: a left mover must not hide that.
// Run: x = 5: Device fails; with Clear moved before it, it does not.
// verdict: errors
var {:layer 0,3} x: int;
yield procedure {:layer 0} Clear(); refines left action {:layer 1} _ { x := 0; }
yield procedure {:layer 1} Device();
refines atomic action {:layer 2} _ { assert x == 0; }
yield procedure {:layer 1} P() refines atomic action {:layer 2} _ { x := 0; }
{
  call Clear();
}
