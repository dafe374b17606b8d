// verdict: errors
// The declaration promises the permission back; the implementation does not repeat that, and never gets it.
yield procedure {:layer 1} Give({:linear_out} p: One int);
implementation Give(p: One int)
{
}
yield procedure {:layer 1} Caller({:linear_in} p: One int, q: One int)
{
  call Give(q);
  assert {:layer 1} p != q;
}
