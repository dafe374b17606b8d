// From inside one yielding loop to another that changes the result: what was read before counts no longer.
// Run: P reads x = 0 into o, then adds 1: it returns 1 although x was 0 all the time.
// verdict: errors
var {:layer 0,2} x: int;
yield procedure {:layer 0} Read() returns (r: int);
refines atomic action {:layer 1} _ { r := x; }
yield procedure {:layer 1} P() returns (o: int)
refines atomic action {:layer 2} _ { o := x; }
{
  var i: int;
  call o := Read();
  while (true)
  invariant {:yields} true;
  {
    i := i + 1;
    if (i > 3)
    {
      while (*)
      invariant {:yields} true;
      {
        o := o + 1;
      }
      return;
    }
  }
}
