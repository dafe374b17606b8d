// expect: verified
// What counts values is called with infinite types; what is called with a finite one counts none.
datatype U { U() }
procedure P<T>(x: T)
ensures MapConst(true)[x := false] != MapConst(false);
{
}
procedure Q<S>(x: S)
{
  call P(x);
  call Same(x, x);
}
procedure Same<S>(x: S, y: S)
requires x == y;
ensures y == x;
{
}
procedure Both<A, B>(a: A, b: B)
{
  call P(a);
  call Same(b, b);
}
procedure Main()
{
  call Q(1);
  call Same(U(), U());
  call Both(1, U());
}
