// expect: refused
// Wrong: a[0] == b[0] and a[1] != b[1] is possible, r is the set of indices where they agree.
function F(m: [int]int): int;

procedure P(a: [int][int]int, b: [int][int]int, r: [int]bool)
{
  assume (forall m: [int]int :: F(m) >= 0);
  assume MapEq(a, b) == r;
  assume a[0] == b[0];
  assume a[1][0] != b[1][0];
  assert false;
}
