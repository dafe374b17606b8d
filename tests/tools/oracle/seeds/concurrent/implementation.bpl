// Declarations and separate implementations.
// favour: split_implementation, local_layer, leaf
type Tid;
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 1} Put(v: int);
refines atomic action {:layer 2} _ { x := v; }
implementation Put(v: int)
{
  call Set(v);
}
yield procedure {:layer 1} Nop({:linear} t: One Tid, {:layer 1} g: int);
requires {:layer 1} g == 0;
implementation Nop({:linear} t: One Tid, {:layer 1} g: int)
{
  assert {:layer 1} g == 0;
}
yield atomic procedure {:layer 1} Reset(v: int, {:layer 1} g: int)
requires {:layer 1} g == v;
ensures {:layer 1} x == g;
{
  call Set(v);
}
yield procedure {:layer 1} Main()
refines atomic action {:layer 2} _ { x := 3; }
{
  var {:layer 1} g: int;
  g := 3;
  call Reset(3, g);
}
