// One pure call reads and writes: nothing below says that a machine does both at once.
// verdict: errors

var {:layer 0,2} x: int;

pure procedure Add(i: int, j: int) returns (k: int);
ensures k == i + j;

yield procedure {:layer 0} Inc()
refines atomic action {:layer 1} _ { x := x + 1; }
{
  call {:layer 0} x := Add(x, 1); //~ error[machine-access]
}
