// expect: faith
// The same in a yield procedure of the same layer.
yield procedure {:layer 1} R() returns (y: int where y > 5);
yield procedure {:layer 1} Q() { var z: int; call z := R(); assert {:layer 1} z > 5; }
