// expect: refused
// Wrong: as e06, behind a datatype.
datatype U { U() }
datatype Box<T> { Box(t: T) }
procedure P<T>(x: T)
requires (forall y: T :: y == x);
ensures false;
{
  var m: [T]bool;
  m := (lambda t: T :: true);
  m[x] := false;
  assert m == (lambda t: T :: false);
}
procedure Q<S>(x: S)
requires (forall y: S :: y == x);
ensures false;
{
  call P(Box(x));
}
procedure Main()
{
  call Q(U());
  assert 1 == 2;
}
