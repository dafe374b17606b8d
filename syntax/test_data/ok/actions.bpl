/* Actions, yield procedures and their clauses. */
atomic action {:layer 1, 2} A_Read() returns (r: int)
{ r := x; }

right action {:layer 1} A_Acquire({:linear} me: One Tid)
{
  assume lock == None();
  lock := Some(me->val);
}
left action {:layer 1} A_Release({:linear} me: One Tid)
modifies lock;
requires call Held(me);
asserts lock == Some(me->val);
{ lock := None(); }
both action {:layer 1} A_Skip() refines A_Other; { }
action {:layer 1} Plain();
modifies x;

yield procedure {:layer 0} Acquire({:linear} me: One Tid);
refines A_Acquire;

yield procedure {:layer 1} Bump({:linear} me: One Tid, {:layer 1} {:hide} tag: int)
refines atomic action {:layer 2} _ { total := total + 2; }
requires call Held(me, 0);
requires {:layer 1} total >= 0;
preserves call Inv();
ensures call Held(me, 1);
{
  var {:layer 1} before: int;
  call Acquire(me);
  call {:layer 1} before := Copy(total);
  call Add(me, 1) | Add(me, 2) | {:layer 1} Inv();
  async call {:sync} Release(me);
  yield;
  yield {:layer 1} total >= before;
  yield total >= 0;
}

yield left procedure {:layer 1} Mover(i: int)
measure i;
{
  if (i > 0) { call Mover(i - 1); }
}

yield procedure {:layer 2} Named()
refines both action {:layer 3} A_Named { assert true; }
{
}

yield procedure {:layer 2} Soft(left: int, right: int, both: bool, atomic: int, hide: int)
{
  var push, pop, reveal: int;
  left := right;
  x[left] := if both then atomic else hide + push - pop * reveal;
}
