// The precondition of an asynchronous callee is checked where it is started.
// verdict: errors

var {:layer 0,1} x: int;

yield invariant {:layer 1} Reached(n: int);
preserves n <= x;

yield procedure {:layer 1} Child()
requires call Reached(1);
{
}

yield procedure {:layer 1} P()
requires call Reached(0);
{
  async call Child(); //~ error[precondition]
}
