// The yield invariant of the loop is ahead of the work.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _ { x := x + 1; }

yield procedure {:layer 1} P(n: int)
requires call Reached(0);
{
  var i: int;

  i := 0;
  while (i < n)
  invariant {:yields} true;
  invariant call Reached(i); //~ error[loop-invariant]
  {
    call Increment();
    i := i + 2;
  }
}
