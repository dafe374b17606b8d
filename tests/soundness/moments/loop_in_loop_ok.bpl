// Loops inside loops that leave the result alone.
// verdict: verified
var {:layer 0,2} x: int;
yield procedure {:layer 0} Read() returns (r: int);
refines atomic action {:layer 1} _ { r := x; }
yield procedure {:layer 1} P() returns (o: int)
refines atomic action {:layer 2} _ { o := x; }
{
  var i: int;
  call o := Read();
  while (*)
  invariant {:yields} true;
  {
    while (*)
    invariant {:yields} true;
    {
      i := i + 1;
    }
  }
}
