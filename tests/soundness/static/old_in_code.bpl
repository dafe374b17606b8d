// verdict: errors
// VERIFIED by civl, but WRONG: old(x) in executable code reads the global at the moment of the call; that read is no action and
// no label, so "Get(); call P()" is one transaction although R may set x to 7 between the two. Run: Get -> r=0; R: x:=7; P: s=7; r!=s.
// guard reads old
var {:layer 0,1} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Get() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }

yield procedure {:layer 1} P() returns (r: int)
ensures {:layer 1} r == old(x);
{
  if (old(x) == 5) { r := 5; } else { r := old(x); }
}
yield procedure {:layer 1} Q()
{
  var r, s: int;
  call r := Get();
  call s := P();
  assert {:layer 1} r == s;
}
yield procedure {:layer 1} R() { call Set(7); }
