// A spin lock: one machine word that threads test and set until they win.
//
// Layer 0 -> 1   the machine: TestAndSet and Clear on the word `busy`.
// Layer 1 -> 2   the lock: Acquire and Release on the variable `owner`, which exists only for the proof.
// Layer 2        a client that relies on mutual exclusion.

type Tid;

var {:layer 0,1} busy: bool;           // the word in memory, hidden once the lock is proved
var {:layer 1,2} owner: Option Tid;    // who holds the lock: introduced at layer 1

// The word says exactly whether there is an owner.
yield invariant {:layer 1} WordMatchesOwner();
preserves busy <==> owner is Some;

// ---- What the client sees (layer 2) --------------------------------------------------------------------

// Waits until the lock is free. A right mover: whatever another thread does next, it could have done before.
right action {:layer 2} ACQUIRE({:linear} me: One Tid)
{
  assume owner is None;
  owner := Some(me->val);
}

// Only the owner may release. A left mover: nobody else can have touched the lock since.
left action {:layer 2} RELEASE({:linear} me: One Tid)
{
  assert owner == Some(me->val);
  owner := None();
}

yield invariant {:layer 2} Holding({:linear} me: One Tid);
preserves owner == Some(me->val);

yield procedure {:layer 2} Client({:linear} me: One Tid)
preserves call WordMatchesOwner();
{
  call Acquire(me);
  // Other threads run here, but none of them gets past its own Acquire.
  call WordMatchesOwner() | Holding(me);
  call Release(me);
}

// ---- The lock, implemented with the machine's instructions (layer 1) -----------------------------------

yield procedure {:layer 1} Acquire({:linear} me: One Tid)
refines ACQUIRE;
preserves call WordMatchesOwner();
{
  var won: bool;

  while (true)
  invariant {:yields} true;
  invariant call WordMatchesOwner();
  {
    call won := TestAndSet();
    if (won) {
      break;
    }
  }
  call {:layer 1} owner := Copy(Some(me->val));
}

yield procedure {:layer 1} Release({:linear} me: One Tid)
refines RELEASE;
preserves call WordMatchesOwner();
{
  call Clear();
  call {:layer 1} owner := Copy(None());
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} TestAndSet() returns (won: bool);
refines atomic action {:layer 1} _
{
  won := !busy;
  busy := true;
}

yield procedure {:layer 0} Clear();
refines atomic action {:layer 1} _
{
  busy := false;
}
