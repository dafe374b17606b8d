// expect: faith
// A definition that contradicts itself, through two inlined functions.
function {:inline} A(x: int): int { B(x) }
function {:inline} B(x: int): int { C(x) + 1 }
function C(x: int): int { A(x) }
procedure P() { assert C(0) == C(0) + 1; assert false; }
