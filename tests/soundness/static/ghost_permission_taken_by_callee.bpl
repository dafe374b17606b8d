// verdict: errors
// WRONG: R can return 1, though W is said to do x := 2 in one step (see study/wrong/c03_ghost_permission_makes_movers.bpl).
// Here a mover procedure of layer 2 takes the permission and its caller uses it.
var {:layer 0,3} x: int;
var {:layer 0,1} lock: bool;
var {:layer 1,1} {:linear} pool1: UnitMap (One int);
var {:layer 2,2} {:linear} pool2: UnitMap (One int);

yield invariant {:layer 1} LockInv();
preserves !lock ==> Set_Contains(pool1->dom, One(0));
yield invariant {:layer 2} Full2();
preserves Set_Contains(pool2->dom, One(0));

yield procedure {:layer 0} Acq(); refines atomic action {:layer 1} _ { assume !lock; lock := true; }
yield procedure {:layer 0} Rel(); refines atomic action {:layer 1} _ { lock := false; }
yield procedure {:layer 0} Get0() returns (v: int); refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 0} Set0(v: int); refines atomic action {:layer 1} _ { x := v; }

yield procedure {:layer 1} Lock({:layer 1} {:hide} {:linear_out} t: One int)
requires {:layer 1} t == One(0);
preserves call LockInv();
{
  call Acq();
  call {:layer 1} One_Get(pool1, t);
}
yield procedure {:layer 1} Unlock({:layer 1} {:hide} {:linear_in} t: One int)
requires {:layer 1} t == One(0);
preserves call LockInv();
{
  call {:layer 1} One_Put(pool1, t);
  call Rel();
}
yield procedure {:layer 1} Read({:layer 1} {:linear} t: One int) returns (v: int)
refines both action {:layer 2} _ { assert t->val == 0; v := x; }
{ call v := Get0(); }
yield procedure {:layer 1} Write({:layer 1} {:linear} t: One int, v: int)
refines both action {:layer 2} _ { assert t->val == 0; x := v; }
{ call Set0(v); }

yield left procedure {:layer 2} Take({:layer 2} {:linear_out} t: One int)
preserves call LockInv();
requires {:layer 2} t == One(0) && Set_Contains(pool2->dom, t);
modifies pool2;
ensures {:layer 2} pool2 == Map_Remove(old(pool2), t) && x == old(x);
{
  call {:layer 2} One_Get(pool2, t);
}
yield procedure {:layer 2} W()
requires call LockInv();
preserves call Full2();
refines atomic action {:layer 3} _ { x := 2; }
{
  var {:layer 1,2} t: One int;
  t := One(0);
  call Lock(t);
  call Take(t);
  call Write(t, 1) | LockInv();
  call Unlock(t);
  call Lock(t);
  call Write(t, 2);
  call {:layer 2} One_Put(pool2, t);
}
yield procedure {:layer 2} R() returns (v: int)
requires call LockInv();
preserves call Full2();
refines atomic action {:layer 3} _ { v := x; }
{
  var {:layer 1,2} t: One int;
  t := One(0);
  call Lock(t);
  call Take(t);
  call v := Read(t);
  call {:layer 2} One_Put(pool2, t);
}
