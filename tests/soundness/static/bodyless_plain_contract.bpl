// The same for an ordinary procedure of a program in which modified variables are inferred.
// verdict: errors

var {:layer 0,1} x: int;

procedure Grow();
ensures x == old(x) + 1;

procedure P()
{
  call Grow();
  assert false; //~ error[assertion]
}
