// verdict: errors
// A CR alone ends a line: the assertion is no part of the comment.
procedure P()
{
  // a comment  assert false;
}
