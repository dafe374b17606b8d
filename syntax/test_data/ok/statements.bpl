procedure p(n: int) returns (r: int)
{
  var i, j: int;
  var {:pool "P"} k: Cell, m: [int]Cell where true;

  start:
  i := 0;
  i, j := {:add_to_pool "P", i} j, i;
  m[i]->key->val := 1;
  m[i][j] := m[j];
  m[] := k;
  Cell(i, j) := {:a} k;
  assert {:layer 1} {:add_to_pool "P", i} i == 0;
  assume i == j;
  havoc i, j;
  measure i, j;
  free call q();
  call i, j := q(i, j + 1);
  call i := q() | {:a} j := q();
  reveal f; hide *; push; pop;
  if {:a} (*) {
    break;
  } else if (i > 0) {
    goto start, done;
  } else {
    return;
  }
  while (i < n)
  invariant {:yields} true;
  free invariant i <= n;
  invariant call Inv(i);
  measure n - i;
  {
    inner:
    break start;
    i := i + 1;
  }
  while (*) { }
  goto {:a} done;
  done:
  return {:a};
}
