// On one path the result is not what was promised.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} Max(a: int, b: int) returns (m: int)
ensures {:layer 1} a <= m && b <= m;
{
  m := a;
  if (m <= b) {
    return; //~ error[postcondition]
  }
}
