// expect: refused
// The axioms about vectors hold of vectors that programs build, not of all values of the datatype: instantiated at others they prove everything.
var {:layer 0,1} v: Vec int;
yield procedure {:layer 0} R() returns (w: Vec int); refines atomic action {:layer 1} _ { w := v; }
yield procedure {:layer 1} P() { var w: Vec int; call w := R(); assert {:layer 1} Vec_Len(w) >= 0; assert {:layer 1} false; }
