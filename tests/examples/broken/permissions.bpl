// A permission used twice: the account has been given back already.

type Key;

var {:layer 0,1} {:linear} bank: Map (One Key) int;

yield invariant {:layer 1} OthersRun();
preserves true;

// A thread takes an account out, keeps it while others run, and puts it back.
yield procedure {:layer 1} Tip(key: Key)
{
  var account: One Key;
  var money: int;

  call account, money := TakeOut(key);
  call OthersRun();
  assert {:layer 1} !Map_Contains(bank, account);
  call PutBack(account, money + 1);
  call PutBack(account, money + 1); //~ error[linear-unavailable] "account"
}

// Two permissions that one thread holds at the same time are different.
yield procedure {:layer 1} HoldTwo({:linear} a: One Key, {:linear} b: One Key)
{
  call OthersRun();
  assert {:layer 1} a != b;
}

// Waits until the account is there.
yield procedure {:layer 0} TakeOut(key: Key) returns ({:linear} account: One Key, money: int);
refines atomic action {:layer 1} _
{
  assume Map_Contains(bank, One(key));
  account := One(key);
  call money := Map_Get(bank, account);
}

// A left mover: nobody else can have used this key.
yield procedure {:layer 0} PutBack({:linear_in} account: One Key, money: int);
refines left action {:layer 1} _
{
  call Map_Put(bank, account, money);
}
