// verdict: errors
// NEW ROOT CAUSE. VERIFIED by civl --strict, nothing on faith, but WRONG (reference verifies too). The flow of permissions knows no layers
// (discipline/src/linear/flow.rs:399 returned), so what a call RECEIVES must exist at the layers of the call only. discipline/src/calls.rs:75 check_results asks that of results
// and of the first argument of a primitive (check_result_layer), not of the second argument of One_Get, which is received too. One_Get happens
// at layer 2 only, but t counts as held at layer 1 as well (obligations/src/copy.rs holders), hence as apart from pool.
// Run: layer 1: pool = {t}; layer 2: m = {t} (pool and m exist at no layer both). P: the assertion at layer 1 fails: pool contains t.
type Tid;
var {:layer 0,1} {:linear} pool: UnitMap (One Tid);
yield procedure {:layer 1} Nop() { }
yield procedure {:layer 2} P({:layer 2} {:linear_in} m: UnitMap (One Tid), t: One Tid)
requires {:layer 2} Set_Contains(m->dom, t);
{
  var {:layer 2} n: UnitMap (One Tid);
  n := m;
  call {:layer 2} One_Get(n, t);
  call Nop();
  assert {:layer 1} !Set_Contains(pool->dom, t);
}
