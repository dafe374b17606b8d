// expect: refused
procedure P<T>(x: T, y: T)
ensures (lambda t: T :: true)[x := false][y := false] != (lambda t: T :: false);
{
}
procedure Main()
{
  call P(true, false);
  assert (lambda t: bool :: true)[true := false][false := false] == (lambda t: bool :: false);
  assert false;
}
