// expect: verified
// Gates of arms that hold whenever they may run: behind a left mover, of both movers in the state of the call, of right movers in any state.
var {:layer 0,1} x: int;
var {:layer 0,1} y: int;
yield procedure {:layer 0} SetY(); refines left action {:layer 1} _ { y := 1; }
yield procedure {:layer 0} SetX(v: int); refines atomic action {:layer 1} _ { assert 0 < v; x := v; }
yield procedure {:layer 0} Own({:linear} t: One int, v: int);
refines right action {:layer 1} _ { assert 0 < v; }
yield procedure {:layer 1} P({:linear} t: One int, v: int)
requires {:layer 1} 0 < v;
{
  call SetY() | SetX(v) | Own(t, v);
}
