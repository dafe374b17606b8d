// What a separate implementation returns is linear if the declaration says so: it cannot make a permission out of nothing.
// expect: refused
type Tid;
const c: Tid;

yield procedure {:layer 1} Make() returns ({:linear} made: One Tid);
ensures {:layer 1} made->val == c;
implementation Make() returns (made: One Tid)
{
  made := One(c);
}

yield invariant {:layer 1} Apart({:linear} a: One Tid, {:linear} b: One Tid);
preserves a->val != b->val;

yield procedure {:layer 1} Main()
{
  var a, b: One Tid;

  call a := Make();
  call b := Make();
  call Apart(a, b);
  assert {:layer 1} false;
}
