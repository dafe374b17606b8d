// The last element is not looked at.
// verdict: not-verified

procedure P(a: [int]bool, n: int) returns (all: bool)
requires 0 < n;
ensures all ==> a[n - 1];
{
  var i: int;

  all := true;
  i := 0;
  while (i < n - 1)
  invariant 0 <= i && i <= n - 1;
  invariant all ==> (forall k: int :: 0 <= k && k < i ==> a[k]);
  {
    all := all && a[i];
    i := i + 1;
  }
}
