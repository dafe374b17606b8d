// The same by changing a field.
// verdict: errors

var {:layer 0,1} x: int;

procedure P(w: Vec int)
{
  var v: Vec int;

  v := w;
  v->len := -1; //~ error[forged-vector]
  assert false;
}
