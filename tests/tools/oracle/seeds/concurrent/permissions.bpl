// A pool of permissions: taken, lent, given back.
// favour: to_arms, add_arm, swap_arms
type Tid;
var {:layer 0,2} {:linear} pool: UnitMap (One Tid);
var {:layer 0,2} x: int;
yield procedure {:layer 0} Take({:linear_out} p: One Tid);
refines right action {:layer 1} _ { assume Set_Contains(pool->dom, p); call One_Get(pool, p); }
yield procedure {:layer 0} Give({:linear_in} p: One Tid);
refines left action {:layer 1} _ { call One_Put(pool, p); }
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 0} Wait(t: Tid);
refines atomic action {:layer 1} _ { assume Set_Contains(pool->dom, One(t)); }
yield procedure {:layer 1} Nop({:hide} {:linear} p: One Tid) { }
yield procedure {:layer 1} Idle() { }
yield procedure {:layer 1} SetTo(v: int)
refines atomic action {:layer 2} _ { x := v; }
{ call Set(v); }
yield procedure {:layer 1} Wait1(t: Tid)
refines atomic action {:layer 2} _ { assume Set_Contains(pool->dom, One(t)); }
{ call Wait(t); }
yield procedure {:layer 1} Return({:linear_in} p: One Tid)
refines atomic action {:layer 2} _ { call One_Put(pool, p); }
{
  var t: Tid;
  t := p->val;
  call Idle();
  call Give(p);
}
yield procedure {:layer 1} Borrow({:linear_out} p: One Tid)
refines atomic action {:layer 2} _ { assume Set_Contains(pool->dom, p); call One_Get(pool, p); }
{
  call Idle();
  call Take(p);
}
yield procedure {:layer 1} SetBeside({:linear_in} p: One Tid, q: One Tid)
refines atomic action {:layer 2} _ { call One_Put(pool, p); }
{
  var t: Tid;
  t := p->val;
  call Give(p) | Idle();
}
