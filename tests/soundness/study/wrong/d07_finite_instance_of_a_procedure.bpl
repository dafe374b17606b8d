// expect: refused
// P holds for no one-element T, but is verified; Main calls it with one, and "proves" false.
procedure P<T>(x: T)
requires (forall y: T :: y == x);
ensures false;
{
  var m: [T]bool;
  m := (lambda t: T :: true);
  m[x] := false;
  assert m == (lambda t: T :: false);
}
datatype U { U() }
procedure Main()
{
  call P(U());
  assert 1 == 2;
}
