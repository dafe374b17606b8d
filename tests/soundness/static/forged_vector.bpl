// Vectors are built with the functions of the library. The constructor could make one with a negative length, which
// contradicts an axiom of the library: everything could then be proved.
// verdict: errors

var {:layer 0,1} x: int;

procedure P(contents: [int]int)
{
  var v: Vec int;

  v := Vec(contents, -1); //~ error[forged-vector]
  assert v->len == -1;
  assert false;
}
