// The spin lock with the test and the set taken apart: between the two another thread may win.
// The proof of Acquire fails because its last step takes the lock although it may be held.

type Tid;

var {:layer 0,1} busy: bool;
var {:layer 1,2} owner: Option Tid;

yield invariant {:layer 1} WordMatchesOwner();
preserves busy <==> owner is Some;

right action {:layer 2} ACQUIRE({:linear} me: One Tid)
{
  assume owner is None;
  owner := Some(me->val);
}

left action {:layer 2} RELEASE({:linear} me: One Tid)
{
  assert owner == Some(me->val);
  owner := None();
}

yield procedure {:layer 1} Acquire({:linear} me: One Tid)
refines ACQUIRE;
preserves call WordMatchesOwner();
{
  var taken: bool;

  while (true)
  invariant {:yields} true;
  invariant call WordMatchesOwner();
  {
    call taken := Test();
    if (!taken) {
      break;
    }
  }
  call WordMatchesOwner();
  call Set();
  call {:layer 1} owner := Copy(Some(me->val)); //~ error[refinement] "owner"
} //~ error[refinement] "ACQUIRE"

yield procedure {:layer 1} Release({:linear} me: One Tid)
refines RELEASE;
preserves call WordMatchesOwner();
{
  call Clear();
  call {:layer 1} owner := Copy(None());
}

yield procedure {:layer 0} Test() returns (taken: bool);
refines atomic action {:layer 1} _
{
  taken := busy;
}

yield procedure {:layer 0} Set();
refines atomic action {:layer 1} _
{
  busy := true;
}

yield procedure {:layer 0} Clear();
refines atomic action {:layer 1} _
{
  busy := false;
}
