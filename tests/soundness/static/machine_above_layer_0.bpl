// A machine at layer 1: the procedure without body hands out what it reads of `x`, so `x` is no ghost variable there, and
// reading and writing it are two steps.
// verdict: errors

var {:layer 1,3} x: int;

yield procedure {:layer 1} Get() returns (v: int);
refines atomic action {:layer 2} _ { v := x; }

yield procedure {:layer 1} Inc()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  var {:layer 1} a: int;
  call {:layer 1} a := Copy(x);
  call {:layer 1} x := Copy(a + 1); //~ error[yield-sufficiency]
}
