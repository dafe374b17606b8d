// An inlined implementation with its type parameters in another order.
// verdict: not-verified

procedure {:inline 1} P<T,U>(x: T, y: U) returns (t: T, u: U);
implementation {:inline 1} P<U,T>(x: U, y: T) returns (t: U, u: T)
{
  t, u := x, y;
}

procedure Q()
{
  var i: int;
  var b: bool;
  call i, b := P(1, true);
  assert i == 2;
}
