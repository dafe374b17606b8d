// The argument of an invariant is read when the call starts, not after an arm in front of it has acted.
// expect: refused
var {:layer 0,1} x: int;

yield procedure {:layer 0} Clear();
refines left action {:layer 1} _ { x := 0; }

yield invariant {:layer 1} Zero(v: int);
preserves v == 0;

yield procedure {:layer 1} P()
{
  call Clear() | Zero(x);
}
