// A left mover must end: what comes after an endless one would be proved of no execution at all.
// verdict: errors

var {:layer 0,2} total: int;

left action {:layer 1} ADD(k: int) { total := total + k; }
yield procedure {:layer 0} Add(k: int); refines ADD;

yield left procedure {:layer 1} Forever(n: int)
ensures {:layer 1} false;
{
  call Add(1);
  call Forever(n + 1); //~ error[mover-endless]
}

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { total := 42; }
{
  call Forever(0);
}
