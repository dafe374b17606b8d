// Vectors are built with the functions of the library.
// verdict: verified

var {:layer 0,1} x: int;

procedure P()
{
  var v: Vec int;

  v := Vec_Append(Vec_Empty(), 7);
  assert v->len == 1;
  assert Vec_Nth(v, 0) == 7;
}
