// Mover procedures: a procedure all of whose steps are left movers is itself one big left mover. It is described by
// its contract, not by an action, and may be recursive. `measure` shows that it ends: a left mover must.

var {:layer 0,2} total: int;

yield procedure {:layer 1} Deposit(coins: int)
refines atomic action {:layer 2} _
{
  total := total + coins;
}
requires {:layer 1} 0 <= coins;
{
  call InsertAll(coins);
}

yield left procedure {:layer 1} InsertAll(coins: int)
requires {:layer 1} 0 <= coins;
ensures {:layer 1} total == old(total) + coins;
measure {:layer 1} coins;
{
  if (0 < coins) {
    call Insert();
    call InsertAll(coins - 1);
  }
}

yield procedure {:layer 0} Insert();
refines left action {:layer 1} _
{
  total := total + 1;
}
