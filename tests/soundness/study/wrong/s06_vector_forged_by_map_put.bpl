// expect: refused
// VERIFIED by civl --strict (nothing on faith), but WRONG: proves false. The library's axiom says that a vector holds Default() outside its
// length; discipline/src/forged.rs:22,66 refuses assignments and `Path_Store` through a vector, but no other primitive with a path:
// Map_Put, Map_Get, Map_Join, Map_Split, One_Put, One_Get write through `v->contents[5]` as well. Here both 5 and 6 lie outside (len == 0), so
// Default() has the value 2 and the value 3 at key 1. Missing rule: every primitive whose signature writes its path is a write
// (take the list from hir's PRIMITIVES, not one name), and so is every out variable that goes through a vector.
procedure P()
{
  var v: Vec (Map int int);
  v := Vec_Empty();
  call Map_Put(v->contents[5], 1, 2);
  assert Identity[5] == 5;
  assert MapIte(Range(0, v->len), MapConst(Default()), v->contents)[5] == v->contents[5];
  call Map_Put(v->contents[6], 1, 3);
  assert Identity[6] == 6;
  assert MapIte(Range(0, v->len), MapConst(Default()), v->contents)[6] == v->contents[6];
  assert v->contents[5] == Default();
  assert v->contents[6] == Default();
  assert v->contents[5] == Map_Update(Default(), 1, 2);
  assert v->contents[6] == Map_Update(Default(), 1, 3);
  assert false;
}
