// The arms of a parallel call are yield procedures and invariants, not pure procedures.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} A() { }
yield procedure {:layer 1} P()
{
  var y: int;

  call A() | y := Copy(3); //~ error[parallel-callee] "Copy"
}
