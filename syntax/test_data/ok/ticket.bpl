// A ticket lock: threads draw numbers and wait for their turn.
type Tid;

datatype Slot { Free(), Taken(owner: Tid) }

var {:layer 0, 3} lock: Slot;
var {:layer 0, 1} next: int;
var {:layer 0, 1} serving: int;
var {:layer 1, 1} {:linear} slots: UnitMap (One int);

function {:inline} InUse(n: int, m: int): [int]bool
{
  (lambda i: int :: n <= i && i < m)
}

yield invariant {:layer 1} Order();
preserves serving <= next;
preserves (forall i: int :: InUse(serving, next)[i] ==> !Map_Contains(slots, One(i)));

// Draws a ticket.
atomic action {:layer 1, 2} A_Draw({:linear} me: One Tid) returns (ticket: int)
modifies next;
{
  ticket := next;
  next := next + 1;
}

right action {:layer 2} A_Wait({:linear} me: One Tid, ticket: int)
{
  assume ticket == serving;
  lock := Taken(me->val);
}

left action {:layer 2, 3} A_Leave({:linear} me: One Tid)
modifies lock, serving;
{
  assert lock == Taken(me->val);
  lock := Free();
  serving := serving + 1;
}

yield procedure {:layer 2} Enter({:linear} me: One Tid)
refines right action {:layer 3} A_Enter
{
  assume lock == Free();
  lock := Taken(me->val);
}
requires call Order();
{
  var ticket: int;

  call ticket := Draw(me);
  while (*)
  invariant {:yields} true;
  invariant call Order();
  {
    yield {:layer 1} serving <= next;
  }
  call Wait(me, ticket) | Order();
}

yield procedure {:layer 0} Draw({:linear} me: One Tid) returns (ticket: int);
refines A_Draw;

yield procedure {:layer 3} Main({:linear_in} me: One Tid)
{
  var i: int;
  i := 0;
  while (i < 10)
  invariant {:yields} {:layer 3} 0 <= i;
  {
    if (i mod 2 == 0) {
      call Enter(me);
    } else if (i == 5) {
      async call {:sync} Leave(me);
    } else {
      call Leave(me);
    }
    i := i + 1;
  }
}
