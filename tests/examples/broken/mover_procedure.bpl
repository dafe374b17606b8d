// The recursion does not count down: a left mover that never ends would make the rest of the program vanish.

var {:layer 0,2} total: int;

yield left procedure {:layer 1} InsertAll(coins: int)
requires {:layer 1} 0 <= coins;
ensures {:layer 1} old(total) <= total;
measure {:layer 1} coins;
{
  if (0 < coins) {
    call Insert();
    call InsertAll(coins); //~ error[measure] "decrease"
  }
}

yield procedure {:layer 0} Insert();
refines left action {:layer 1} _
{
  total := total + 1;
}
