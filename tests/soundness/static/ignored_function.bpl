// What is ignored defines nothing: neither the function nor the axiom of its `uses` clause is there.
// verdict: errors

function {:ignore} F(x: int): int uses { axiom (forall x: int :: F(x) == x + 1); }

procedure P()
{
  assert F(0) == 1; //~ error[undeclared-function]
}
