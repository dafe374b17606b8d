// The first component grows.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} Pairs(a: int, b: int)
requires {:layer 1} 0 <= a && 0 <= b;
measure {:layer 1} a, b;
{
  if (0 < b) {
    call Pairs(a + 1, b - 1); //~ error[measure] "decrease"
  }
}
