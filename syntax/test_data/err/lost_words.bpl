{:layer 1} p() { }
atomic {:layer 1} A() { }
yield {:layer 1} Y();
procedure p()
{
  Foo(x);
  (x > 0) { y := 1; } else { y := 2; }
  { z := 1; }
  var late: int;
  while (true) invariant x;
  x + 1;
  @
}
procedure q() "unclosed
const a: int;
/* unclosed
