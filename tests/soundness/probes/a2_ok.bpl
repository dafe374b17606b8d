// Nearest good neighbour of a2: the loop changes a local, or comes before the matching read.
// verdict: verified

var {:layer 0,2} x: int;
yield invariant {:layer 1} Y(); preserves true;

atomic action {:layer 1} A_Read() returns (r: int) { r := x; }
yield procedure {:layer 0} Read() returns (r: int); refines A_Read;
atomic action {:layer 2} A_O() returns (o: int) { o := x; }
yield procedure {:layer 1} P1() returns (o: int) refines A_O;
{
  var i: int;
  call o := Read();
  call Y();
  i := o;
  while (*) invariant {:yields} true; { i := i + 1; }
}
yield procedure {:layer 1} P2() returns (o: int) refines A_O;
{
  o := 0;
  while (*) invariant {:yields} true; { o := o + 1; }
  call o := Read();
}
