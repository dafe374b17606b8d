// Hidden parameters and scratch variables.
// favour: hide, linear_kind
var {:layer 0,1} scratch: int;
var {:layer 0,2} x: int;
yield invariant {:layer 1} Others(); preserves true;
yield procedure {:layer 0} Note(k: int);
refines atomic action {:layer 1} _ { scratch := k; }
yield procedure {:layer 0} Add(k: int) returns (r: int);
refines atomic action {:layer 1} _ { x := x + k; r := x; }
yield procedure {:layer 1} P(k: int, {:hide} tag: int) returns (r: int, {:hide} s: int)
refines atomic action {:layer 2} _ { x := x + k; r := x; }
{
  call Note(tag);
  call Others();
  call r := Add(k);
  s := tag;
  call Others();
  call Note(0);
}
