// expect: refused
// Wrong: a[0] == b[0] and a[1] != b[1] (lengths 1 and 2) is possible.
procedure P(a: [int]Vec int, b: [int]Vec int)
{
  var r: [int]bool;
  havoc r;
  assume MapEq(a, b) == r && a[0] == b[0];
  assert Vec_Len(a[1]) == Vec_Len(b[1]);
}
