// The pool offers a term that is no witness. The claim is true, but the pool is all that is tried.
// verdict: not-verified

var {:layer 0,1} x: int;

left action {:layer 1} ABOVE(i: int) returns ({:pool "A"} j: int)
asserts {:add_to_pool "A", i - 1} true;
{
  assume i < j;
}
