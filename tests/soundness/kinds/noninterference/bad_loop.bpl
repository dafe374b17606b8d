// A step inside a loop breaks it.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Toggle();
refines atomic action {:layer 1} _ { x := 1 - x; }

yield invariant {:layer 1} IsOne();
preserves x == 1;

yield procedure {:layer 1} P()
requires call IsOne();
{
  call IsOne();
}

yield procedure {:layer 1} Q()
{
  while (*)
  invariant {:yields} true;
  {
    call Toggle(); //~ error[noninterference] "Q"
  }
}
