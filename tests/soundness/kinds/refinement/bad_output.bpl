// The result is changed after the read that it stands for.
// verdict: errors

var {:layer 0,2} x: int;

yield invariant {:layer 1} Yield();
preserves true;

yield procedure {:layer 0} Read() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }

yield procedure {:layer 1} P() returns (v: int)
refines atomic action {:layer 2} _ { v := x; }
{
  call v := Read();
  call Yield();
  v := v + 1; //~ error[refinement]
}
