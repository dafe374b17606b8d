// A conjunct without old value and without result speaks of a change, also beside one that reads.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} Reset() returns (r: int);
ensures {:layer 1} r == x && x == 5;

yield procedure {:layer 1} P()
{
  var {:layer 1} before: int;
  var r: int;
  call {:layer 1} before := Copy(x);
  call r := Reset();
  assert {:layer 1} before == 5; //~ error[assertion]
}
