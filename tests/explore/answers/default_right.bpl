// explore: exit 0 not "gaps"
//
// Libraries use `Default()` where nobody looks.

var {:layer 0,1} v: Vec int;

atomic action {:layer 1} {:explore.init} Empty()
{
  v := Vec_Empty();
}

yield procedure {:layer 0} Push(x: int);
refines atomic action {:layer 1} _
{
  v := Vec_Append(v, x);
}

yield procedure {:layer 1} Root(x: int)
{
  call Push(x);
}
