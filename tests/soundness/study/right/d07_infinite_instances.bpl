// expect: verified
// right twins: T has at least one more element
procedure P<T>(x: T, z: T)
requires x != z;
ensures (lambda t: T :: true)[x := false] != (lambda t: T :: false);
{
  assert (lambda t: T :: true)[x := false][z];
}
procedure Q(x: int)
ensures (lambda t: int :: true)[x := false] != (lambda t: int :: false);
{
}
datatype U { U() }
procedure R(x: U)
ensures (lambda t: U :: true)[x := false] == (lambda t: U :: false);
{
}
