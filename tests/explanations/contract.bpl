// A postcondition with several parts, of which one fails.
procedure Clamp(n: int, low: int, high: int) returns (r: int)
requires low <= high;
ensures low <= r && r <= high && (low <= n && n <= high ==> r == n);
{
  r := n;
  if (r < low) {
    r := low;
  }
}
