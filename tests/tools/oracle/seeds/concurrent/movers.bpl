// Mover procedures with contracts, below a procedure that refines.
// favour: mover, leaf
type Tid;
var {:layer 0,2} a: [Tid]int;
yield procedure {:layer 0} Load({:linear} t: One Tid) returns (v: int);
refines both action {:layer 1} _ { v := a[t->val]; }
yield procedure {:layer 0} Store({:linear} t: One Tid, v: int);
refines both action {:layer 1} _ { a[t->val] := v; }
yield both procedure {:layer 1} Bump({:linear} t: One Tid, k: int) returns (r: int)
requires {:layer 1} k == k;
ensures {:layer 1} a == old(a)[t->val := old(a)[t->val] + k];
ensures {:layer 1} r == old(a)[t->val];
{
  call r := Load(t);
  call Store(t, r + k);
}
yield procedure {:layer 1} Twice({:linear} t: One Tid) returns (r: int)
refines both action {:layer 2} _ { r := a[t->val]; a[t->val] := a[t->val] + 2; }
{
  var q: int;
  call r := Bump(t, 1);
  call q := Bump(t, 1);
}
