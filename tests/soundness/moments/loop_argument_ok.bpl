// Arguments made of locals keep their meaning; an argument that reads a global stands for its value when the head was reached.
// verdict: verified
var {:layer 0,1} x: int;
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { x := x + 1; }
yield procedure {:layer 0} Read() returns (r: int);
refines atomic action {:layer 1} _ { r := x; }
yield invariant {:layer 1} AtLeast(v: int); preserves v <= x;
yield procedure {:layer 1} P()
{
  var seen: int;
  call seen := Read();
  while (*)
  invariant {:yields} true;
  invariant call AtLeast(seen);
  invariant call AtLeast(x);
  {
    call seen := Read();
  }
  assert {:layer 1} seen <= x;
}
