// The same for a yield statement.
// verdict: errors
var {:layer 0,2} x: int;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 0} R()
{
  assume false;
  yield {:layer 0} x == 0; //~ error[noninterference]
}
