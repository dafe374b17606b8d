// expect: refused
// Wrong: m[0] of length 2 with different elements 5 and 7; k[0]. Map_Extract is MapIte(k, ...).
procedure P(m: Map int (Vec int), k: [int]bool)
{
  assume k[0] && Vec_Len(Map_At(m, 0)) >= 2;
  assert Vec_Nth(Map_At(Map_Extract(m, k), 0), 1) == Vec_Nth(Map_At(m, 0), 0);
}
