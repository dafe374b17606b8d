// What stands behind the measure of a loop that yields is its invariant, and may be about locals.
// verdict: verified

var {:layer 0,1} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }

yield procedure {:layer 1} P()
{
  var i: int;
  i := 10;
head:
  assert {:yields} true;
  measure {:layer 1} i;
  assert {:layer 1} 0 <= i && i <= 10;
  goto body, done;
body:
  assume i > 0;
  i := i - 1;
  goto head;
done:
  assert {:layer 1} i <= 10;
}
