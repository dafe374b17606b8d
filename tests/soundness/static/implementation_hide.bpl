// The ghost parameter of layer 1 is no data of the machine, whatever the implementation says.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield procedure {:layer 1} P({:layer 1} g: int, h: int);
implementation P({:layer 0,1} k: int, h: int) //~ error[implementation-mismatch]
{
  call Set(k); //~ error[var-out-of-layer]
}
