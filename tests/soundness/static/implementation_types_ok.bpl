// Type parameters are paired by position, whatever their names.
// verdict: verified

procedure P<T,U>(x: T, y: U) returns (t: T, u: U);
ensures t == x && u == y;
implementation P<U,T>(x: U, y: T) returns (t: U, u: T)
{
  var z: T;
  z := y;
  t, u := x, z;
}

procedure Q()
{
  var i: int;
  var b: bool;
  call i, b := P(1, true);
  assert i == 1 && b;
}
