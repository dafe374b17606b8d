// Hidden parameters: what an implementation needs and its specification does not mention.
//
// `{:hide}` keeps a parameter out of the refined action.

var {:layer 0,2} balance: int;

// How often to retry is nobody's business at layer 2.
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
}

yield procedure {:layer 2} Client()
{
  var ok: bool;
  var {:layer 0,1} attempts: int;   // not available at layer 2, where the result is hidden

  call ok, attempts := Pay(10, 3);
}

yield procedure {:layer 0} TryPay(amount: int) returns (paid: bool);
refines atomic action {:layer 1} _
{
  if (paid) {
    balance := balance + amount;
  }
}
