// The primitive sets the counter back.
// expect: faith

var {:layer 0,2} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield left procedure {:layer 1} M()
ensures {:layer 1} false;
{
  var i: int;
  i := 0;
  while (i < 1)
  invariant {:layer 1} i == 0;
  {
    i := i + 1;
    call Path_Store(i, 0);
  }
}

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := 1; }
{
  call Set(77);
  call M();
}
