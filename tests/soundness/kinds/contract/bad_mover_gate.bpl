// A mover procedure must establish the gates of the actions it calls.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Decrement();
refines atomic action {:layer 1} _ { assert 0 < x; x := x - 1; }

yield atomic procedure {:layer 1} P()
{
  call Decrement(); //~ error[gate]
}
