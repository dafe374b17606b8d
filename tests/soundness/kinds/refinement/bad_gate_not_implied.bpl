// The gate of the action called does not follow from the gate of the action promised.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Decrement();
refines atomic action {:layer 1} _ { assert 0 < x; x := x - 1; }

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { assert 0 <= x; x := x - 1; }
{
  call Decrement(); //~ error[gate]
}
