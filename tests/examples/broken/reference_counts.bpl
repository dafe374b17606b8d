// Reference counts with a client that uses the object after it has been counted down.

type Tid;

var {:layer 0,1} count: int;
var {:layer 0,2} alive: bool;
var {:layer 1,2} users: [Tid]bool;

yield invariant {:layer 1} UsersAreCounted();
preserves count == Set_Size(users);

yield invariant {:layer 1} Counted({:linear} me: One Tid);
preserves Set_Contains(users, me->val);

yield invariant {:layer 1} Uncounted({:linear} me: One Tid);
preserves !Set_Contains(users, me->val);

yield invariant {:layer 2} AliveWhileUsed();
preserves users != Set_Empty() ==> alive;

yield invariant {:layer 2} Using({:linear} me: One Tid);
preserves Set_Contains(users, me->val);

yield invariant {:layer 2} Stranger({:linear} me: One Tid);
preserves !Set_Contains(users, me->val);

// Once nobody uses the object, nobody will.
yield invariant {:layer 2} Unused(last: bool);
preserves last ==> users == Set_Empty();

// ---- A client (layer 2) --------------------------------------------------------------------------------

yield procedure {:layer 2} Client({:linear} me: One Tid, {:linear_in} friend: One Tid)
requires call Uncounted(friend);
requires call Stranger(friend);
requires call Counted(me);
requires call Using(me);
preserves call UsersAreCounted();
preserves call AliveWhileUsed();
{
  call Share(me, friend);
  call UsersAreCounted() | AliveWhileUsed() | Counted(me) | Using(me) | Counted(friend) | Using(friend);
  async call Worker(friend);
  call Worker(me);
}

yield procedure {:layer 2} Worker({:linear} me: One Tid)
requires call Counted(me);
requires call Using(me);
preserves call UsersAreCounted();
preserves call AliveWhileUsed();
{
  var last: bool;

  call last := Drop(me);
  call UsersAreCounted() | AliveWhileUsed();
  call Use();    // should be the first step //~ error[gate] "Use"
  call UsersAreCounted() | AliveWhileUsed() | Unused(last); //~ error[precondition] "Unused"
  if (last) {
    call Free();
  }
}

// ---- The set of users (layer 1) ------------------------------------------------------------------------

yield procedure {:layer 1} Share({:linear} me: One Tid, {:linear} friend: One Tid)
refines atomic action {:layer 2} _
{
  assert Set_Contains(users, me->val) && !Set_Contains(users, friend->val);
  users := Set_Add(users, friend->val);
}
preserves call Counted(me);
requires call Uncounted(friend);
ensures call Counted(friend);
preserves call UsersAreCounted();
{
  call Increment();
  call {:layer 1} users := Copy(Set_Add(users, friend->val));
}

yield procedure {:layer 1} Drop({:linear} me: One Tid) returns (last: bool)
refines atomic action {:layer 2} _
{
  assert Set_Contains(users, me->val);
  users := Set_Remove(users, me->val);
  last := users == Set_Empty();
}
requires call Counted(me);
preserves call UsersAreCounted();
{
  call last := Decrement();
  call {:layer 1} users := Copy(Set_Remove(users, me->val));
  call {:layer 1} Lemma_SetSize_Subset(Set_Empty(), users);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Increment();
refines atomic action {:layer 1} _
{
  count := count + 1;
}

yield procedure {:layer 0} Decrement() returns (last: bool);
refines atomic action {:layer 1} _
{
  count := count - 1;
  last := count == 0;
}

yield procedure {:layer 0} Use();
refines atomic action {:layer 1,2} _
{
  assert alive;
}

yield procedure {:layer 0} Free();
refines atomic action {:layer 1,2} _
{
  alive := false;
}
