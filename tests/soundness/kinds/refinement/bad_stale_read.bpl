// The value written comes from a read before the yield.
// verdict: errors

var {:layer 0,2} x: int;

yield invariant {:layer 1} Yield();
preserves true;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 0} Read() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }

yield procedure {:layer 0} Write(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  var v: int;

  call v := Read();
  call Yield();
  call Write(v + 1); //~ error[refinement]
} //~ error[refinement]
