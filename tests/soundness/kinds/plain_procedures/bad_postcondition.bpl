// The early return forgets the promise.
// verdict: errors

procedure Absolute(n: int) returns (r: int)
ensures 0 <= r;
{
  r := n;
  if (n <= 0) {
    return; //~ error[postcondition]
  }
}
