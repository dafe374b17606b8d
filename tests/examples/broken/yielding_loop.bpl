// The loop forgets to yield: its rounds would be one long atomic step, and `Drop` is not a mover.

var {:layer 0,1} level: int;

yield procedure {:layer 1} FillBy(amount: int)
{
  var i: int;

  i := 0;
  while (i < amount)
  {
    call Drop(); //~ error[yield-sufficiency] "layer 1"
    i := i + 1;
  }
}

yield procedure {:layer 0} Drop();
refines atomic action {:layer 1} _
{
  level := level + 1;
}
