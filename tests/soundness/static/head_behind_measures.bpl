// Two measures of different layers stand between the annotation and the assertion about the shared variable: it is an
// invariant of a loop that yields all the same, and others may make it false while the loop waits.
// verdict: errors

var {:layer 0,2} x: int;

yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1,2} _ { x := v; }

yield procedure {:layer 2} P(n: int)
{
  var i: int;
  i := n;
head:
  measure {:layer 1} i;
  assert {:yields} true;
  measure {:layer 2} i;
  assert {:layer 2} x == 0; //~ error[loop-invariant-global]
  goto head, done;
done:
  return;
}
