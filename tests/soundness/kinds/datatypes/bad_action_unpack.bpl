// Unpacking is part of an action's gate.
// verdict: errors

datatype Shape { Point(), Circle(r: int) }

var {:layer 0,1} s: Shape;

yield procedure {:layer 0} Radius() returns (r: int);
refines atomic action {:layer 1} _ { Circle(r) := s; }

yield procedure {:layer 1} P()
{
  var r: int;

  call r := Radius(); //~ error[gate]
}
