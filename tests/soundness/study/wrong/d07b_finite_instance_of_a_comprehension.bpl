// expect: refused
procedure P<T>(x: T)
ensures (lambda t: T :: true)[x := false] != (lambda t: T :: false);
{
}
datatype U { U() }
procedure Main()
{
  call P(U());
  assert (forall t: U :: (lambda s: U :: true)[U() := false][t] == false);
  assert (lambda t: U :: true)[U() := false] == (lambda t: U :: false);
  assert false;
}
