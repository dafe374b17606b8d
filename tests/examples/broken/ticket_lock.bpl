// The ticket lock with a wrong comparison: a thread enters as soon as the number shown is not beyond its own.
// The ticket spent is then not the one shown, and the lock may have an owner already.

type Tid;

var {:layer 0,1} next_ticket: int;                      // the next number to draw
var {:layer 0,2} now_serving: int;                      // the number shown
var {:layer 1,2} {:linear} unissued: UnitMap (One int); // tickets that nobody has drawn
var {:layer 2,2} {:linear} spent: UnitMap (One int);    // tickets whose owners have been let in
var {:layer 2,3} owner: Option Tid;

// Numbers not yet drawn are still in the pool.
yield invariant {:layer 1} FutureTicketsUnissued();
preserves (forall t: int :: next_ticket <= t ==> Map_Contains(unissued, One(t)));

// The owner has spent the ticket shown. So a thread that still has that ticket knows that there is no owner.
yield invariant {:layer 2} OwnerSpentTicket();
preserves owner is Some ==> Map_Contains(spent, One(now_serving));

// ---- A client (layer 3) --------------------------------------------------------------------------------

yield invariant {:layer 3} Holding({:linear} me: One Tid);
preserves owner == Some(me->val);

yield procedure {:layer 3} Client({:linear} me: One Tid)
preserves call FutureTicketsUnissued();
preserves call OwnerSpentTicket();
{
  call Acquire(me);
  call FutureTicketsUnissued() | OwnerSpentTicket() | Holding(me);
  call Release(me);
}

// ---- The lock (layer 2) --------------------------------------------------------------------------------

right action {:layer 3} ACQUIRE({:linear} me: One Tid)
{
  assume owner is None;
  owner := Some(me->val);
}

yield procedure {:layer 2} Acquire({:linear} me: One Tid)
refines ACQUIRE;
preserves call FutureTicketsUnissued();
preserves call OwnerSpentTicket();
{
  var {:layer 1,2} ticket: One int;   // the permission, ghost code only
  var number: int;                    // its number, a real variable
  var shown: int;

  call ticket, number := TakeTicket();
  while (true)
  invariant {:yields} true;
  invariant call FutureTicketsUnissued();
  invariant call OwnerSpentTicket();
  {
    call shown := ReadServing();
    if (shown <= number) {    // should be ==
      break;
    }
  }
  call {:layer 2} One_Put(spent, ticket);
  call {:layer 2} owner := Copy(Some(me->val)); //~ error[noninterference] error[refinement] "owner"
} //~ error[postcondition] error[refinement] "ACQUIRE"

left action {:layer 3} RELEASE({:linear} me: One Tid)
{
  assert owner == Some(me->val);
  owner := None();
}

yield procedure {:layer 2} Release({:linear} me: One Tid)
refines RELEASE;
preserves call FutureTicketsUnissued();
preserves call OwnerSpentTicket();
{
  call ServeNext();
  call {:layer 2} owner := Copy(None());
}

// ---- Tickets as permissions (layer 1) ------------------------------------------------------------------

right action {:layer 2} TAKE_TICKET() returns ({:linear} ticket: One int, number: int)
{
  assume Map_Contains(unissued, One(number));
  ticket := One(number);
  call One_Get(unissued, ticket);
}

yield procedure {:layer 1} TakeTicket() returns ({:layer 1} {:linear} ticket: One int, number: int)
refines TAKE_TICKET;
preserves call FutureTicketsUnissued();
{
  call number := FetchAndAdd();
  ticket := One(number);
  call {:layer 1} One_Get(unissued, ticket);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} FetchAndAdd() returns (number: int);
refines atomic action {:layer 1} _
{
  number := next_ticket;
  next_ticket := next_ticket + 1;
}

yield procedure {:layer 0} ReadServing() returns (shown: int);
refines atomic action {:layer 1,2} _
{
  shown := now_serving;
}

yield procedure {:layer 0} ServeNext();
refines atomic action {:layer 1,2} _
{
  now_serving := now_serving + 1;
}
