// expect: faith
// A free precondition and a free postcondition.
procedure Root(i: int) returns (r: int)
free requires 0 <= i;
free ensures r * r == i;
{ r := 0; }
procedure Use() { var r: int; call r := Root(4); assert r == 2 || r == -2; }
