// A lemma that relies on itself proves anything.
// verdict: not-verified

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

pure procedure Lemma()
ensures false;
{
  call Lemma();
}

yield procedure {:layer 1} Writer()
preserves call Zero();
{
  call Five();
  call {:layer 1} Lemma();
}
