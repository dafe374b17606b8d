// verdict: errors
// VERIFIED by civl, but WRONG: P forges permissions t twice and reaches assert false at layer 2. Layer 1 has no invariant program
// (layers_of_program.rs ignores the layers of pure calls/primitives), so the demands of One_Get at layer 1 are never asked.
// forging a permission
type Tid;
yield invariant {:layer 2} Y(); preserves true;
yield procedure {:layer 2} P(t: Tid)
{
  var {:layer 1} m: UnitMap (One Tid);
  var a, b: One Tid;
  a := One(t);
  b := One(t);
  call {:layer 1} m := Map_MakeEmpty();
  call {:layer 1} One_Get(m, a);
  call {:layer 1} One_Get(m, b);
  call Y();
  assert {:layer 2} false;
}
