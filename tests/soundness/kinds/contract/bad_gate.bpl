// The action asserts what nobody has established.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Decrement();
refines atomic action {:layer 1} _ { assert 0 < x; x := x - 1; }

yield procedure {:layer 1} P()
{
  call Decrement(); //~ error[gate]
}
