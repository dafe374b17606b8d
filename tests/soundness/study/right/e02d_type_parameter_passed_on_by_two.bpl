// expect: verified
// The same for a type with many values.
procedure Compare<T>(x: T) returns (differ: bool)
ensures differ;
{
  differ := MapConst(true)[x := false] != MapConst(false);
}
procedure Passes<T>(x: T) returns (differ: bool)
ensures differ;
{
  call differ := Compare(x);
}
procedure First<T>(x: T) returns (differ: bool)
ensures differ;
{
  call differ := Passes(x);
}
procedure Main()
{
  var differ: bool;

  call differ := First(3);
  assert differ;
}
