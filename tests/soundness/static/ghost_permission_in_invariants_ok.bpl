// verdict: verified
// RIGHT: the permission that ghost code of layer 2 takes is given to a yield invariant only, which holds in runs of whole transactions: who has
// it has the lock. No action moves because of it.
var {:layer 0,3} x: int;
var {:layer 0,2} lock: bool;
var {:layer 2,2} {:linear} pool: UnitMap (One int);

yield invariant {:layer 2} LockInv();
preserves !lock ==> Set_Contains(pool->dom, One(0));
yield invariant {:layer 2} Locked({:linear} t: One int);
preserves t == One(0) && lock;

yield procedure {:layer 0} Acq();
refines atomic action {:layer 1,2} _ { assume !lock; lock := true; }
yield procedure {:layer 0} Rel();
refines atomic action {:layer 1,2} _ { lock := false; }
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1,2} _ { x := v; }

yield procedure {:layer 2} Borrow({:layer 2} {:linear} t: One int)
preserves call Locked(t);
{
  call Locked(t);
}
yield procedure {:layer 2} W()
preserves call LockInv();
refines atomic action {:layer 3} _ { x := 2; }
{
  var {:layer 2} t: One int;

  t := One(0);
  call Acq();
  call {:layer 2} One_Get(pool, t);
  call Locked(t) | LockInv();
  call Borrow(t) | LockInv();
  call Set(2);
  call Locked(t) | LockInv();
  call {:layer 2} One_Put(pool, t);
  call Rel();
}
