// The solver gives up on the quantifier, and its values break it: the set is empty outside of what matters. Full there, it is a run.
// verdict: errors

var pool: [int]bool;
var next: int;

procedure Take(i: int)
  requires (forall k: int :: next <= k ==> pool[k]);
  modifies pool;
{
  pool[i] := false;
  assert (forall k: int :: next <= k ==> pool[k]); //~ error[assertion]
}
