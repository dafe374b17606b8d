// The argument of an invariant is read when the call starts: what an arm in front of it does, it does later.
// expect: verified
var {:layer 0,1} x: int;

yield procedure {:layer 0} Clear();
refines left action {:layer 1} _ { x := 0; }

yield invariant {:layer 1} Two(v: int);
preserves v == 2;

yield procedure {:layer 1} P(n: int)
requires {:layer 1} n == 1;
{
  var m: int;

  m := n + 1;
  call Clear() | Two(m);
}
