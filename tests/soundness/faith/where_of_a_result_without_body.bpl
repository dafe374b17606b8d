// expect: faith
// The caller relies on the `where` clause of a result; no body is there that would rely on it, too.
procedure R() returns (y: int where y > 5);
procedure Q() { var z: int; call z := R(); assert z > 5; }
