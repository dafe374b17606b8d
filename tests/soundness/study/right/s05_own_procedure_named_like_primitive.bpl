// expect: verified
// A program may have a procedure of its own that is called like a primitive of the library.
var g: int;
procedure Move(a: int, b: int) modifies g; ensures g == a + b; { g := a + b; }
procedure Q() modifies g; { call Move(1, 2); assert g == 3; }
