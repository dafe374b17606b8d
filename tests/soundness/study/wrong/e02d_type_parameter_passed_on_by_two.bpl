// expect: refused
// As e02: only the innermost of three procedures compares maps. In `Main`, the two maps are the same.
datatype U { U() }
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

  call differ := First(U());
  assert differ;
}
