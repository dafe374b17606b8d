// The procedure reports success when it has run out of attempts.

var {:layer 0,2} balance: int;

yield procedure {:layer 1} Pay(amount: int, {:hide} retries: int) returns (paid: bool, {:hide} attempts: int)
refines atomic action {:layer 2} _
{
  if (paid) {
    balance := balance + amount;
  }
}
{
  paid := false;
  attempts := 0;
  while (attempts < retries)
  invariant {:yields} true;
  invariant {:layer 1} !paid;
  {
    attempts := attempts + 1;
    call paid := TryPay(amount);
    if (paid) {
      return;
    }
  }
  paid := true; //~ error[refinement] "paid"
}

yield procedure {:layer 0} TryPay(amount: int) returns (paid: bool);
refines atomic action {:layer 1} _
{
  if (paid) {
    balance := balance + amount;
  }
}
