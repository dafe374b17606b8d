// One step does what the action says; all others change nothing that is visible.
// verdict: verified

var {:layer 0,2} x: int;

yield invariant {:layer 1} Yield();
preserves true;

yield procedure {:layer 0} Add(k: int);
refines atomic action {:layer 1} _ { x := x + k; }

yield procedure {:layer 0} Read() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }

var {:layer 0,1} scratch: int;

yield procedure {:layer 0} Scribble(k: int);
refines atomic action {:layer 1} _ { scratch := k; }

yield procedure {:layer 1} P(k: int) returns (v: int)
refines atomic action {:layer 2} _
{
  if (0 < k) {
    x := x + k;
  }
  v := k;
}
{
  call Scribble(1);
  call Yield();
  v := k;
  if (0 < k) {
    call Add(k);
  }
  call Yield();
  while (*)
  invariant {:yields} true;
  {
    call Scribble(2);
  }
}

yield procedure {:layer 1} Get() returns (v: int)
refines atomic action {:layer 2} _ { v := x; }
{
  call v := Read();
  call Yield();
  call v := Read();
}

yield procedure {:layer 1} SameLayer(k: int) returns (v: int)
refines atomic action {:layer 2} _ { x := x + k + k; v := 0; }
{
  v := 0;
  call Twice(k);
}

yield procedure {:layer 1} Twice(k: int)
refines atomic action {:layer 2} _ { x := x + 2 * k; }
{
  call Add(2 * k);
}
