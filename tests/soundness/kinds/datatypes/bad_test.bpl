// There is a third constructor.
// verdict: errors

datatype Shape { Point(), Circle(r: int), Box(w: int, h: int) }

procedure P(s: Shape)
{
  assert s is Point || s is Circle; //~ error[assertion]
}
