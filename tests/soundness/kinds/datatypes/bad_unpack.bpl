// The value may have been built by another constructor.

datatype Shape { Point(), Circle(r: int) }

procedure P(s: Shape)
{
  var r: int;

  Circle(r) := s; //~ error[assertion]
}
