// A way around the action.
var {:layer 0,2} x: int;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 1} Maybe(b: bool)
refines atomic action {:layer 2} _ { x := x + 1; }
{
  if (b) {
    call Add(1);
  }
}
