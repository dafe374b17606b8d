// expect: refused
// Wrong: U has one value; P is proved for infinite T only; Q passes its own type parameter on to P, and has no map itself.
datatype U { U() }
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
  call P(x);
}
procedure Main()
{
  call Q(U());
  assert 1 == 2;
}
