// The parameters of an implementation have the attributes of the declaration, repeated or not.
// verdict: verified

type Tid;
var {:layer 0,1} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield invariant {:layer 1} Others(); preserves true;

yield procedure {:layer 1} P({:linear_in} s: One Tid, {:linear} t: One Tid, {:layer 1} g: int, h: int);
requires {:layer 1} g == h;
implementation P(a: One Tid, {:linear} b: One Tid, ghost: int, h: int)
{
  call Others();
  assert {:layer 1} a != b && ghost == h;
  call Set(h);
}
