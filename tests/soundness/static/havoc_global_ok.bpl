// Locals may be forgotten, and an action may set a shared variable to anything.
// verdict: verified

var {:layer 0,1} x: int;

yield procedure {:layer 0} Scramble();
refines atomic action {:layer 1} _ { havoc x; }

yield procedure {:layer 1} P()
{
  var y: int;

  havoc y;
  call Scramble();
}
