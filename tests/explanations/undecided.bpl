// Questions that stay open, and what is said about them.
procedure Rising(a: [int]int, n: int)
requires (forall i, j: int :: i < j ==> a[i] < a[j]);
requires n > 0;
ensures (exists k: int :: a[k] * a[k] > n * n + a[n]);
{
  assert a[n] * n >= a[n - 1] * n;
}
