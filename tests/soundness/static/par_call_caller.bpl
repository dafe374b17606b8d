// Only a yield procedure may make a parallel call.
// verdict: errors

var {:layer 0,1} x: int;

procedure A() { }
procedure B() { }
procedure P()
{
  call A() | B(); //~ error[parallel-caller]
}
