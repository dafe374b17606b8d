// The argument reads a map at an index of the thread's own: the map may still change while it waits.
// Run: P sets m[me] to 0 and waits; R sets m[me] to 7.
// verdict: errors
var {:layer 0,1} m: [int]int;
yield procedure {:layer 0} Set(i: int, v: int);
refines atomic action {:layer 1} _ { m[i] := v; }
yield invariant {:layer 1} Zero(v: int); preserves v == 0;
yield procedure {:layer 1} R(i: int) { call Set(i, 7); }
yield procedure {:layer 1} P(me: int)
{
  call Set(me, 0);
  while (*)
  invariant {:yields} true;
  invariant call Zero(m[me]);
  {
    assert {:layer 1} m[me] == 0; //~ error[assertion]
    call Set(me, 0);
  }
}
