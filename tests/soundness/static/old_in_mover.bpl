// verdict: errors
// VERIFIED by civl, but WRONG (worse form of FINDING_08): old(x) lets a "both mover" read shared x as a private step; Inc is read-then-write
// (lost update when two threads run it), yet "refines" an atomic increment.
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield both procedure {:layer 1} ReadX() returns (r: int)
ensures {:layer 1} r == x;
{
  r := old(x);
}
yield procedure {:layer 1} Inc()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  var a: int;
  call a := ReadX();
  call Set(a + 1);
}
