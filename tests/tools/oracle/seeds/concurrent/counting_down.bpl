// A loop of labels that counts down after a write.
// favour: shared_argument
var {:layer 0,2} x: int;
yield procedure {:layer 0} Set(r: int);
refines atomic action {:layer 1} _ { x := r; }
yield procedure {:layer 1} Put(r: int)
refines atomic action {:layer 2} _ { x := r; }
{
  var i: int;
  i := 2;
  call Set(r);
D:
  assert {:yields} true;
  measure {:layer 1} i;
  assert {:layer 1} r == r;
  goto E, F;
E:
  assume i > 0;
  i := i - 1;
  goto D;
F:
  return;
}
