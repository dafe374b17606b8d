// expect: faith
// A body-less mover procedure that only reads, and one that says what it changes: as promised, and listed.

var {:layer 0,1} x: int;
var {:layer 0,1} y: int;

yield both procedure {:layer 1} Read() returns (r: int);
ensures {:layer 1} r == x;

yield left procedure {:layer 1} Grow();
modifies x;
ensures {:layer 1} x == old(x) + 1;

yield procedure {:layer 1} P()
{
  var {:layer 1} before: int;
  var {:layer 1} other: int;
  var r: int;
  call {:layer 1} before := Copy(x);
  call {:layer 1} other := Copy(y);
  call r := Read();
  assert {:layer 1} r == before && x == before;
  call Grow();
  assert {:layer 1} x == before + 1 && y == other;
}
