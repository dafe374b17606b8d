// A right mover breaks what another action asserts; the condition is a function.
var {:layer 0,1} balance: int;
var {:layer 0,1} frozen: bool;

function {:inline} CanPay(amount: int, balance: int, frozen: bool): bool
{
  !frozen && amount <= balance
}

right action {:layer 1} WITHDRAW(n: int) { assert 0 < n; balance := balance - n; }

atomic action {:layer 1} PAY(amount: int) { assert CanPay(amount, balance, frozen); }
