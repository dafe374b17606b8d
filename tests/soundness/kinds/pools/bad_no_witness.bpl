// No result exists.
// verdict: not-verified
// candidates

var {:layer 0,1} x: int;

left action {:layer 1} BETWEEN(i: int) returns ({:pool "A"} j: int)
asserts {:add_to_pool "A", i + 1} true;
{
  assume i < j && j < i + 1;
}
