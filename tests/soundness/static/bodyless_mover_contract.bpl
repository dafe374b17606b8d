// The mover procedure has no body and lists no modified variables. It ensures that `x` grows, so it changes `x`: what
// follows must not be proved from a contradiction.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} Grow();
ensures {:layer 1} x == old(x) + 1;

yield procedure {:layer 1} P()
{
  call Grow();
  assert {:layer 1} false; //~ error[assertion]
}
