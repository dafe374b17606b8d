// Section 14.5: a layer that only carries an assertion needs its yields as well.
// Expected: P has not enough yields at layer 2.
// verdict: errors

var {:layer 0,3} z: int;
atomic action {:layer 1,3} A_Rd() returns (r: int) { r := z; }
yield procedure {:layer 0} Rd() returns (r: int); refines A_Rd;
atomic action {:layer 1,3} A_Inc() modifies z; { z := z + 1; }
yield procedure {:layer 0} Inc(); refines A_Inc;
yield invariant {:layer 3} Y3(); preserves true;
yield procedure {:layer 3} P()
{
  var u, v: int;
  call u := Rd();
  call Y3();
  call v := Rd(); //~ error[yield-sufficiency] "layer 2"
  assert {:layer 2} u == v;
}
yield procedure {:layer 3} Q() { call Inc(); }
