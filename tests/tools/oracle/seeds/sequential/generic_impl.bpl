// Implementations with type parameters of their own names.
// favour: swap_type_params, side, split_implementation
type Box _;
procedure Keep<T,U>(x: T, y: U) returns (z: T);
ensures z == x;
implementation Keep<T,U>(x: T, y: U) returns (z: T)
{
  z := x;
}
procedure Eq<T>(x: T, y: T) returns (b: bool);
ensures b <==> x == y;
implementation Eq<T>(x: T, y: T) returns (b: bool)
{
  b := x == y;
}
procedure Any<T,U>(x: T, y: U);
ensures (forall t: T :: t != x ==> t != x);
implementation Any<T,U>(x: T, y: U)
{
}
procedure Main()
{
  var b: bool;
  var z: int;
  call b := Eq(1, 1);
  assert b;
  call z := Keep(1, 1);
  call Any(1, true);
  assert z == 1;
}
