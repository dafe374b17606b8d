// explore: exit 2 "one meaning of Default of several"
//
// Nobody says which number `Default()` is.

var {:layer 0,1} x: int;

atomic action {:layer 1} {:explore.init} Zero()
{
  x := 0;
}

yield procedure {:layer 0} Look();
refines atomic action {:layer 1} _
{
  assert x == Default();
}

yield procedure {:layer 1} Root()
{
  call Look();
}
