// A field of the wrong constructor can be anything.
// verdict: errors

datatype Shape { Point(), Circle(r: int) }

procedure P(s: Shape)
requires s is Point;
{
  assert s->r == 0; //~ error[assertion]
}
