// explore: exit 0 "assuming the declared mover types"
// explore --reductions none: exit 1 "confirmed by replay"
// json: "assumes_movers" true
//
// `Read` and `Write` are no movers. Who believes that they are does not see the lost update.

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Read() returns (r: int);
refines both action {:layer 1} _
{
  r := x;
}

yield procedure {:layer 0} Write(v: int);
refines both action {:layer 1} _
{
  x := v;
}

yield procedure {:layer 0} Check();
refines atomic action {:layer 1} _
{
  assert x == 2;
}

yield invariant {:layer 1} Others();

yield procedure {:layer 1} Add()
{
  var r: int;

  call r := Read();
  call Write(r + 1);
}

yield procedure {:layer 1} Main()
{
  call Add() | Add();
  call Others();
  call Check();
}
