// An action is called where its gate does not hold; the gate is unfolded function by function.
datatype Account { Account(owner: int, money: int) }

var {:layer 0,1} accounts: [int]Account;

function {:inline} IsOpen(a: Account): bool { 0 < a->owner }

function {:inline} CanTake(a: Account, n: int): bool { IsOpen(a) && n <= a->money }

yield procedure {:layer 0} Take(i: int, n: int);
refines atomic action {:layer 1} _
{
  assert CanTake(accounts[i], n);
  accounts[i]->money := accounts[i]->money - n;
}

yield procedure {:layer 1} Spend(i: int)
{
  call Take(i, 1);
}
