// A yield procedure may make a parallel call.
// verdict: verified

var {:layer 0,1} x: int;

yield procedure {:layer 1} A() { }
yield procedure {:layer 1} B() { }
yield procedure {:layer 1} P()
{
  call A() | B();
}
