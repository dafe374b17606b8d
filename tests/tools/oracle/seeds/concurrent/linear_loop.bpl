// A loop that keeps a permission and a fact about it.
// favour: shared_argument, loop_invariant, loop_to_goto
type Tid;
var {:layer 0,1} slot: [Tid]int;
yield invariant {:layer 1} Is({:linear} t: One Tid, v: int);
preserves slot[t->val] == v;
yield procedure {:layer 0} Put({:linear} t: One Tid, v: int);
refines atomic action {:layer 1} _ { slot[t->val] := v; }
yield procedure {:layer 1} Work({:linear} t: One Tid)
{
  var i: int;
  i := 0;
  call Put(t, i);
  while (i < 2)
  invariant {:yields} true;
  invariant call Is(t, i);
  {
    assert {:layer 1} slot[t->val] == i;
    i := i + 1;
    call Put(t, i);
  }
}
