// Leases that can be had while another one is in its last second.

type Tid;

function Term(t: Tid): int;              // how long a lease of this thread runs
axiom (forall t: Tid :: {Term(t)} 0 < Term(t));

var {:layer 0,1} now: int;
var {:layer 0,1} expires: [Tid]int;      // when the last lease of a thread ends
var {:layer 0,1} data: int;

// At most one lease is running.
yield invariant {:layer 1} OneLease();
preserves (forall s: Tid, t: Tid :: {expires[s], expires[t]} now < expires[s] && now < expires[t] ==> s == t);

// The lease of this thread ends at `end`; until then the data are what it wrote last.
yield invariant {:layer 1} Holding({:linear} me: One Tid, end: int, written: int);
preserves expires[me->val] == end;
preserves now < end ==> data == written;

// Time does not go back.
yield invariant {:layer 1} NotBefore(time: int);
preserves time <= now;

yield procedure {:layer 1} Client({:linear} me: One Tid)
preserves call OneLease();
{
  var end, value, time: int;
  var done: bool;

  call time := Clock();
  call OneLease() | NotBefore(time);
  call end, value := Obtain(me); //~ error[noninterference] "OneLease"
  assert {:layer 1} time < end;
  call OneLease() | Holding(me, end, value); //~ error[precondition] "OneLease"
  call done := TryWrite(me, value + 1);
  assert {:layer 1} done ==> value + 1 == data;
  call OneLease();
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Tick();
refines atomic action {:layer 1} _
{
  now := now + 1;
}

yield procedure {:layer 0} Clock() returns (time: int);
refines atomic action {:layer 1} _
{
  time := now;
}

// Waits until all leases have run out.
yield procedure {:layer 0} Obtain({:linear} me: One Tid) returns (end: int, value: int);
refines atomic action {:layer 1} _
{
  assume (forall t: Tid :: expires[t] <= now + 1);    // should be now
  end := now + Term(me->val);
  expires := expires[me->val := end];
  value := data;
}

// Writes unless the lease has run out.
yield procedure {:layer 0} TryWrite({:linear} me: One Tid, value: int) returns (done: bool);
refines atomic action {:layer 1} _
{
  done := now < expires[me->val];
  if (done) {
    data := value;
  }
}
