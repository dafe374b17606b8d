// expect: verified
// Pointwise operations on maps of maps, where each index is its own.
function F(m: [int]int): int;

procedure Chosen(c: [int]bool, a: [int][int]int, b: [int][int]int)
{
  assume (forall m: [int]int :: F(m) >= 0);
  assume c[0] && !c[1];
  assert MapIte(c, a, b)[0][1] == a[0][1];
  assert MapIte(c, a, b)[1][0] == b[1][0];
}

procedure Rows(a: [int][int]int, b: [int][int]int, r: [int]bool)
{
  assume (forall m: [int]int :: F(m) >= 0);
  assume MapEq(a, b) == r;
  assume a[1][0] != b[1][0];
  assert !r[1];
}

procedure Extract(m: Map int (Vec int), k: [int]bool)
{
  assume k[0] && Vec_Len(Map_At(m, 0)) >= 2;
  assert Vec_Nth(Map_At(Map_Extract(m, k), 0), 1) == Vec_Nth(Map_At(m, 0), 1);
}
