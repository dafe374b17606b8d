// expect: refused
// VERIFIED by civl --strict ("4 yield procedures without body"; binary of 16:11, run at 16:39), but WRONG: R can return 1, though W is said to do x := 2 in one step.
// Cause: a permission that GHOST code of layer 2 takes out of a shared pool (One_Get(pool2, t)) is used at the same layer 2 to show that actions commute.
// Ghost code is "run inside the transactions of its layer, after they were made"; but these transactions are made because Read and Write are both movers, which
// rests on permissions being disjoint in runs that are NOT yet cut into transactions. There, two threads can be between their One_Get and One_Put at once. Circular.
// (At layer 1 the permission t is real: a lock protects it. But the lock is hidden above layer 1 and given up between the two writes.)
// Run (layers 0 and 1; x = 0, lock = false, pool1 = {One(0)}; at layer 2 pool2 = {One(0)}):
//   W: Lock: lock := true, One(0) leaves pool1.   W: Write(t,1): x := 1.   W: Unlock: One(0) back into pool1, lock := false.
//   R: Lock: lock := true, One(0) leaves pool1.   R: Read(t): v := 1.  R returns 1.       (W waits for the lock; it may be dropped here.)
//   Layer 2, not cut into transactions: W: One_Get(pool2,t); x := 1; R: One_Get(pool2,t) although pool2 is empty; v := x.  Layer 3: W: x := 2, R: v := x: v is 0 or 2.
// Had the two pool2 steps been actions with the gate "t is in pool2", GP(get, get) and FP(get, put) would fail: taking is no right mover, putting no left mover.
// Missing rule: discipline/src/yields/labels.rs:199 (LabelRule::Access is Private above layer 0) or linear/flow.rs `arguments`: a permission that a pure call of layer n moves out of
// or into a linear GLOBAL is a shared access of layer n: non-mover; or: what is received that way may not be passed, at layer n, to a linear parameter of an action or mover
// procedure (yield invariants are fine: they are cooperative). Reference: the same, as far as I can see.
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

yield procedure {:layer 2} W()
requires call LockInv();
preserves call Full2();
refines atomic action {:layer 3} _ { x := 2; }
{
  var {:layer 1,2} t: One int;
  t := One(0);
  call Lock(t);
  call {:layer 2} One_Get(pool2, t);
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
  call {:layer 2} One_Get(pool2, t);
  call v := Read(t);
  call {:layer 2} One_Put(pool2, t);
}
