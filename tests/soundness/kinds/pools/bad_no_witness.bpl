// No result exists.
// verdict: errors

var {:layer 0,1} x: int;

left action {:layer 1} BETWEEN(i: int) returns ({:pool "A"} j: int) //~ error[nonblocking] "BETWEEN"
asserts {:add_to_pool "A", i + 1} true;
{
  assume i < j && j < i + 1;
}
