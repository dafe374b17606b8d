// Sequential code: contracts, loops, calls, old values, recursion, lemmas.
// verdict: verified

var count: int;

procedure Bump(k: int)
modifies count;
requires 0 <= k;
ensures count == old(count) + k;
{
  count := count + k;
}

procedure BumpTwice(k: int) returns (before: int)
modifies count;
requires 0 <= k;
ensures before == old(count);
ensures count == before + 2 * k;
{
  before := count;
  call Bump(k);
  call Bump(k);
}

procedure Sum(a: [int]int, n: int) returns (s: int)
requires 0 <= n;
requires (forall i: int :: 0 <= i && i < n ==> a[i] == 1);
ensures s == n;
{
  var i: int;

  i := 0;
  s := 0;
  while (i < n)
  invariant 0 <= i && i <= n;
  invariant s == i;
  {
    s := s + a[i];
    i := i + 1;
  }
}

procedure Find(a: [int]int, n: int, x: int) returns (i: int)
requires 0 <= n;
ensures 0 <= i && i <= n;
ensures i < n ==> a[i] == x;
ensures (forall k: int :: 0 <= k && k < i ==> a[k] != x);
{
  i := 0;
  while (true)
  invariant 0 <= i && i <= n;
  invariant (forall k: int :: 0 <= k && k < i ==> a[k] != x);
  {
    if (i == n) {
      break;
    }
    if (a[i] == x) {
      return;
    }
    i := i + 1;
  }
}

pure procedure Transitive(a: int, b: int, c: int)
requires a < b && b < c;
ensures a + 2 <= c;
{
}
