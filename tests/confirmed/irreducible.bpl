// A loop with two entries: which of them keeps the invariant is not for us to choose.
// verdict: unknown

procedure P()
{
  var i: int;

  i := 0;
  goto A, B;
A:
  i := i + 1;
  goto B, C;
B:
  assert i >= 0;
  i := i + 1;
  goto A, C;
C:
  return;
}
