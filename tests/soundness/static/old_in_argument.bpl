// The argument is read at the moment of the call of Inc, and written later: two of them lose an update.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield procedure {:layer 1} Inc()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  call Set(old(x) + 1); //~ error[old-in-code]
}
