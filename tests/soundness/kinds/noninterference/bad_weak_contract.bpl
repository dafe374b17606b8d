// A mover procedure that says nothing about x may do anything to it.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 0} Add();
refines left action {:layer 1} _ { x := x + 1; }

yield left procedure {:layer 1} AddTwice()
{
  call Add();
  call Add();
}

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 1} P()
{
  call AddTwice(); //~ error[noninterference] "P"
}
