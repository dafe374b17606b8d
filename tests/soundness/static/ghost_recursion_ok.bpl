// A lemma by induction.
// verdict: verified

var {:layer 0,1} x: int;

yield invariant {:layer 1} Zero();
preserves x == 0;

yield procedure {:layer 0} Five();
refines atomic action {:layer 1} _ { x := 5; }

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _ { assert x == 0; }

yield procedure {:layer 1} Reader()
preserves call Zero();
{
  call Look();
}

function Sum(n: int): int;
axiom Sum(0) == 0;
axiom (forall n: int :: {Sum(n)} 0 < n ==> Sum(n) == Sum(n - 1) + n);

pure procedure Lemma(n: int)
requires 0 <= n;
ensures 0 <= Sum(n);
measure n;
{
  if (n != 0) {
    call Lemma(n - 1);
  }
}
