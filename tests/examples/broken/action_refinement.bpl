// The action at layer 2 promises something that the one at layer 1 does not do.

var {:layer 0,2} count: int;

right action {:layer 2} READ_STALE() returns (n: int)
{
  assume n < count;
}

atomic action {:layer 1} READ() returns (n: int) //~ error[action-refinement] "READ_STALE"
refines READ_STALE;
{
  n := count;
}

yield procedure {:layer 0} Read() returns (n: int);
refines READ;
