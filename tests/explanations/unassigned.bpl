// A local that is read before it is assigned is shown; those that are not yet assigned are not.
procedure Sum(n: int) returns (r: int)
{
  var seen: int;
  var later: int;
  if (0 < n) {
    later := n;
  }
  assert 0 <= seen + n * n;
  r := later;
}
