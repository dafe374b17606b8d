// expect: verified
// Gates of arms that hold whenever they may run: of both movers in the state of the call, of right movers in any state.
var {:layer 0,1} x: int;
yield procedure {:layer 0} SetX(v: int); refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Both_({:linear} t: One int, v: int); refines both action {:layer 1} _ { assert 0 < v; }
yield procedure {:layer 0} Right_({:linear} t: One int, v: int); refines right action {:layer 1} _ { assert 0 < v; }
yield procedure {:layer 1} Q() { call SetX(7); }
yield procedure {:layer 1} P({:linear} t: One int, v: int)
requires {:layer 1} 0 < v;
{
  call SetX(v) | Both_(t, v);
  call Q() | Right_(t, v);
}
