// explore: exit 0 not "gaps"
//
// A local that is read before anything is assigned to it is as its `where` clause says.

yield procedure {:layer 1} Root()
{
  var {:layer 1} l: bool where l == k;
  var {:layer 1} k: bool where k;

  assert {:layer 1} l;
}
