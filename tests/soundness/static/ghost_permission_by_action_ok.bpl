// verdict: verified
// RIGHT: ghost code of layer 1 takes the permission while a lock protects it; at layer 2 an action takes it out of the pool, in one step that
// is compared with all others, and there it makes reading and writing move.
var {:layer 0,3} x: int;
var {:layer 0,1} lock: bool;
var {:layer 1,2} {:linear} pool: UnitMap (One int);

yield invariant {:layer 1} LockInv();
preserves !lock ==> Set_Contains(pool->dom, One(0));

yield procedure {:layer 0} Acq();
refines atomic action {:layer 1} _ { assume !lock; lock := true; }
yield procedure {:layer 0} Rel();
refines atomic action {:layer 1} _ { lock := false; }
yield procedure {:layer 0} Get0() returns (v: int);
refines atomic action {:layer 1} _ { v := x; }
yield procedure {:layer 0} Set0(v: int);
refines atomic action {:layer 1} _ { x := v; }

right action {:layer 2} LOCK({:linear_out} t: One int)
{
  assert t == One(0);
  assume Set_Contains(pool->dom, t);
  call One_Get(pool, t);
}
left action {:layer 2} UNLOCK({:linear_in} t: One int)
{
  assert t == One(0);
  call One_Put(pool, t);
}
yield procedure {:layer 1} Lock({:layer 1} {:linear_out} t: One int)
refines LOCK;
requires {:layer 1} t == One(0);
preserves call LockInv();
{
  call Acq();
  call {:layer 1} One_Get(pool, t);
}
yield procedure {:layer 1} Unlock({:layer 1} {:linear_in} t: One int)
refines UNLOCK;
requires {:layer 1} t == One(0);
preserves call LockInv();
{
  call {:layer 1} One_Put(pool, t);
  call Rel();
}
yield procedure {:layer 1} Read({:layer 1} {:linear} t: One int) returns (v: int)
refines both action {:layer 2} _ { assert t == One(0); v := x; }
{ call v := Get0(); }
yield procedure {:layer 1} Write({:layer 1} {:linear} t: One int, v: int)
refines both action {:layer 2} _ { assert t == One(0); x := v; }
{ call Set0(v); }

yield procedure {:layer 2} W()
preserves call LockInv();
refines atomic action {:layer 3} _ { x := 2; }
{
  var {:layer 1,2} t: One int;

  t := One(0);
  call Lock(t);
  call Write(t, 1) | LockInv();
  call Write(t, 2) | LockInv();
  call Unlock(t);
}
yield procedure {:layer 2} R() returns (v: int)
preserves call LockInv();
refines atomic action {:layer 3} _ { v := x; }
{
  var {:layer 1,2} t: One int;

  t := One(0);
  call Lock(t);
  call v := Read(t) | LockInv();
  call Unlock(t);
}
