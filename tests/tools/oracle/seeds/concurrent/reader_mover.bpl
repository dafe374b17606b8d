// A mover procedure that reads what only its owner writes, one that writes anything, and a step made of them.
// favour: drop_body, old_in_code, split_implementation
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Add(v: int);
refines atomic action {:layer 1} _ { x := x + v; }
yield both procedure {:layer 1} Pick(a: int) returns (r: int)
ensures {:layer 1} r == a;
{
  r := a;
}
yield atomic procedure {:layer 1} Raise({:layer 1} k: int, a: int)
requires {:layer 1} k == x;
ensures {:layer 1} x == k + a;
{
  call Add(a);
}
yield procedure {:layer 1} Inc()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  var a: int;
  var {:layer 1} k: int;
  call a := Pick(1);
  call {:layer 1} k := Copy(x);
  call Raise(k, a);
}
