// Constructors, tests, fields, updates and unpacking.
// verdict: verified

datatype Shape { Point(), Circle(r: int), Box(w: int, h: int) }
datatype Pair { Pair(a: int, b: int) }
datatype Tree { Leaf(), Fork(l: Tree, r: Tree) }

procedure Tests(s: Shape)
{
  assert s is Point || s is Circle || s is Box;
  assert s is Circle ==> s == Circle(s->r);
  assert Circle(1) != Circle(2);
  assert Point() != Circle(0);
}

procedure Update(p: Pair) returns (q: Pair)
ensures q->a == 5 && q->b == p->b;
{
  q := p;
  q->a := 5;
}

procedure FieldUpdate(p: Pair)
{
  assert p->(a := 7)->a == 7;
  assert p->(a := 7)->b == p->b;
}

procedure Unpack(p: Pair)
{
  var x, y: int;

  Pair(x, y) := p;
  assert p == Pair(x, y);
}

procedure UnpackTested(s: Shape) returns (area: int)
requires s is Box;
ensures area == s->w * s->h;
{
  var w, h: int;

  Box(w, h) := s;
  area := w * h;
}

procedure NoCycle(t: Tree)
{
  assert t != Fork(t, Leaf());
}

procedure OptionCases(o: Option int) returns (n: int)
ensures o == Some(3) ==> n == 3;
{
  n := if o is None then 0 else o->t;
}
