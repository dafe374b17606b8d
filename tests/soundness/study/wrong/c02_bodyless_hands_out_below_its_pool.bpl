// expect: faith
// VERIFIED by civl --strict ("1 yield procedure without body"; binary of 16:11, run at 16:35), but WRONG although Take does exactly what it refines. Take is code at
// the layers 0 and 1; its action takes the permission out of `pool`, which exists at the layers 1 to 3 only. At layer 0 there is no pool: nothing shows that the
// permission was nobody's there, yet p counts as held at layer 0, hence as apart from everything held at layer 0.
// Run: initially (each layer by itself disjoint) layer 0: q = One(5); layers 1..3: pool = {One(5)}.
//   P: call p := Take(): at layer 1 One(5) leaves pool, p = One(5), as the action says. assert {:layer 0} p != q fails; at layer 0 One(5) is held twice (by p and q).
// Missing rule: analysis/ide/src/proof/trusted.rs:315 (conjured parameters) looks only whether an action MENTIONS the parameter. Also needed: the linear variables
// from which the action can take permissions exist at every layer at which the procedure is code and the parameter exists; otherwise list it as a promise.
// Reference: no such check either.
var {:layer 1,3} {:linear} pool: UnitMap (One int);
yield procedure {:layer 1} Take() returns ({:linear} p: One int);
refines atomic action {:layer 2} A_Take { assume Set_Contains(pool->dom, p); call One_Get(pool, p); }
yield procedure {:layer 1} P({:layer 0} {:linear} q: One int) returns ({:linear} p: One int)
refines A_Take;
{
  call p := Take();
  assert {:layer 0} p != q;
}
