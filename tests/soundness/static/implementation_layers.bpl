// verdict: errors
// VERIFIED by civl, but WRONG: the separate implementation forgets {:layer 1} of its formal, so the ghost value g flows into the machine call
// Set(g): Inc is a plain read followed by a plain write, yet "refines" an atomic increment. (With the body at the declaration it is refused.)
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield atomic procedure {:layer 1} M({:layer 1} g: int);
ensures {:layer 1} x == g;
implementation M(g: int) { call Set(g); }
yield procedure {:layer 1} Inc()
refines atomic action {:layer 2} _ { x := x + 1; }
{
  var {:layer 1} k: int;
  call {:layer 1} k := Copy(x);
  call M(k + 1);
}
