// expect: verified
// right: an array of ordinary values inside a linear record may be read and written through a path
datatype R { R(a: [int]int, u: One int) }
yield invariant {:layer 1} Y();
preserves true;
yield procedure {:layer 1} P({:linear_in} r0: R)
{
  var r: R;
  var i: int;
  r := r0;
  call Path_Store(r->a[0], 3);
  call i := Path_Load(r->a[0]);
  r->a[1] := i;
  call Y();
  assert {:layer 1} r->a[1] == 3;
}
