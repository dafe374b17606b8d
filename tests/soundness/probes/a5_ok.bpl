// Nearest good neighbour of a5: a yield at layer 2 as well, and a claim that survives it.
// verdict: verified

var {:layer 0,3} z: int;
atomic action {:layer 1,3} A_Rd() returns (r: int) { r := z; }
yield procedure {:layer 0} Rd() returns (r: int); refines A_Rd;
atomic action {:layer 1,3} A_Inc() modifies z; { z := z + 1; }
yield procedure {:layer 0} Inc(); refines A_Inc;
yield invariant {:layer 3} Y3(); preserves true;
yield invariant {:layer 2} Y2(n: int); preserves n <= z;
yield procedure {:layer 3} P()
{
  var u, v: int;
  call u := Rd();
  call Y3();
  call Y2(u);
  call v := Rd();
  assert {:layer 2} u <= v;
}
yield procedure {:layer 3} Q() { call Inc(); }
