// The lock is given back between the two writes, so one procedure does two visible steps.

type Tid;

var {:layer 0,1} owner: Option Tid;
var {:layer 0,2} savings, wallet: int;

yield procedure {:layer 0} Lock({:linear} me: One Tid);
refines right action {:layer 1} _ { assume owner is None; owner := Some(me->val); }

yield procedure {:layer 0} Unlock({:linear} me: One Tid);
refines left action {:layer 1} _ { assert owner == Some(me->val); owner := None(); }

yield procedure {:layer 0} ReadSavings({:linear} me: One Tid) returns (money: int);
refines both action {:layer 1} _ { assert owner == Some(me->val); money := savings; }

yield procedure {:layer 0} WriteSavings({:linear} me: One Tid, money: int);
refines both action {:layer 1} _ { assert owner == Some(me->val); savings := money; }

yield procedure {:layer 0} ReadWallet({:linear} me: One Tid) returns (money: int);
refines both action {:layer 1} _ { assert owner == Some(me->val); money := wallet; }

yield procedure {:layer 0} WriteWallet({:linear} me: One Tid, money: int);
refines both action {:layer 1} _ { assert owner == Some(me->val); wallet := money; }

yield procedure {:layer 1} Withdraw({:linear} me: One Tid, wanted: int) returns (taken: int)
refines atomic action {:layer 2} _
{
  taken := 0;
  if (0 < wanted && wanted <= savings) {
    taken := wanted;
    savings := savings - wanted;
    wallet := wallet + wanted;
  }
}
{
  var there, here: int;

  taken := 0;
  if (wanted <= 0) {
    return;
  }
  call Lock(me);
  call there := ReadSavings(me);
  if (there < wanted) {
    call Unlock(me);
    return;
  }
  taken := wanted;
  there := there - taken;
  call WriteSavings(me, there);
  call Unlock(me);
  yield;
  call Lock(me);
  call here := ReadWallet(me);
  here := here + taken;
  call WriteWallet(me, here);
  call Unlock(me);
}
