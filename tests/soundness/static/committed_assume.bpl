// A writer that stops after it has written: the reader sees 5.
// verdict: not-verified

var {:layer 0,1} x: int;

yield invariant {:layer 1} Zero();
preserves x == 0;

yield procedure {:layer 0} Five();
refines atomic action {:layer 1} _ { x := 5; }

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _ { assert x == 0; }

yield procedure {:layer 1} Reader()
preserves call Zero();
{
  call Look();
}

yield procedure {:layer 1} Writer()
preserves call Zero();
{
  call Five();
  assume false;
}
