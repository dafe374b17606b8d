// The same for a loop inside a left mover.
// verdict: errors

var {:layer 0,2} total: int;

left action {:layer 1} ADD(k: int) { total := total + k; }
yield procedure {:layer 0} Add(k: int); refines ADD;

yield left procedure {:layer 1} Forever()
ensures {:layer 1} false;
{
  while (true) //~ error[mover-endless]
  {
    call Add(1);
  }
}
