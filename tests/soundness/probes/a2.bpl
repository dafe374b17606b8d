// Section 14.2: an output changed after the matching read, inside or just before a yielding loop.
// Expected: two refinement errors, on some path no step matches the action with the final output.
// verdict: errors

var {:layer 0,2} x: int;
yield invariant {:layer 1} Y(); preserves true;

atomic action {:layer 1} A_Read() returns (r: int) { r := x; }
yield procedure {:layer 0} Read() returns (r: int); refines A_Read;
atomic action {:layer 2} A_O() returns (o: int) { o := x; }
yield procedure {:layer 1} P1() returns (o: int) refines A_O;
{
  call o := Read();
  call Y();
  while (*) invariant {:yields} true; { o := o + 1; }
} //~ error[refinement]
yield procedure {:layer 1} P2() returns (o: int) refines A_O;
{
  call o := Read();
  call Y();
  o := o + 1;
  while (*) invariant {:yields} true; { }
} //~ error[refinement]
