// A machine whose steps are one read or one write each; above it, ghost code may look at everything at once.
// verdict: verified

var {:layer 0,2} x: int;
var {:layer 1,2} twin: int;

yield procedure {:layer 0} Read() returns (v: int)
refines atomic action {:layer 1} _ { v := x; }
{
  call {:layer 0} v := Copy(x);
}

yield procedure {:layer 0} Write(v: int)
refines atomic action {:layer 1} _ { x := v; }
{
  call {:layer 0} x := Copy(v);
}

yield procedure {:layer 1} Both(v: int)
refines atomic action {:layer 2} _ { x := v; twin := v + v; }
{
  call Write(v);
  call {:layer 1} twin := Copy(x + x);
}
