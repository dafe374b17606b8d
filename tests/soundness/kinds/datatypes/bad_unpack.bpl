// The value may have been built by another constructor.
// verdict: errors

datatype Shape { Point(), Circle(r: int) }

procedure P(s: Shape)
{
  var r: int;

  Circle(r) := s; //~ error[unpack]
}
