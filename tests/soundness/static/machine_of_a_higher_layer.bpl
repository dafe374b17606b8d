// verdict: errors
// `Get` is the machine, and code at layer 1, where it reads `x`; so the two pure calls are two steps of the machine, too.
var {:layer 1,3} x: int;

yield procedure {:layer 2} Get() returns (v: int);
refines atomic action {:layer 3} _ { v := x; }

yield procedure {:layer 1} Inc()
refines atomic action {:layer 2,3} INC { x := x + 1; }
{
  var {:layer 1} a: int;
  call {:layer 1} a := Copy(x);
  call {:layer 1} x := Copy(a + 1);
}
