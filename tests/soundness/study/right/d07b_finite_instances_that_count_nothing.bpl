// expect: verified
// No map is indexed by T, so it does not matter how many values T has.
procedure First<T>(x: T, y: T, m: [int]T) returns (z: Option T)
ensures z == Some(x);
ensures m[0] == y ==> m[0 := y] == m;
{
  z := Some(x);
}
procedure Main(m: [int]bool)
{
  var z: Option bool;
  call z := First(true, false, m);
  assert z == Some(true);
}
