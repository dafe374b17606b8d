// The same, and right: no values make it fail.
// verdict: verified

var pool: [int]bool;
var next: int;

procedure Take()
  requires (forall k: int :: next <= k ==> pool[k]);
  modifies pool, next;
{
  pool[next] := false;
  next := next + 1;
  assert (forall k: int :: next <= k ==> pool[k]);
}
