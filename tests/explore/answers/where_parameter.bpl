// explore: exit 1 "calls Entry(1)" "confirmed by replay"
//
// The `where` clause does not say enough.

yield procedure {:layer 1} {:explore.root} Entry(x: int where x > 0)
{
  assert {:layer 1} x > 1;
}
