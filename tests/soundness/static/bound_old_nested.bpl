// A local inside `old` is the local of now, however deep it stands and whatever is beside it.
// expect: faith

var {:layer 0,2} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

function F(i: int): int { i + 1 }

yield left procedure {:layer 1} M()
ensures {:layer 1} false;
{
  var i, n: int;
  i := 0;
  n := 1;
  while (i < old(F(n) - 1))
  invariant {:layer 1} i < n;
  {
    i, n := i + 1, n + 1;
  }
}

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { x := 1; }
{
  call Set(77);
  call M();
}
