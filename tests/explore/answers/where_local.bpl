// explore: exit 1 "confirmed by replay"
//
// What is asserted is not what the `where` clauses say.

yield procedure {:layer 1} Root()
{
  var {:layer 1} l: bool where l == k;
  var {:layer 1} k: bool where k;

  assert {:layer 1} !l;
}
