// An axiom over types about values of a datatype that the run does not show.
// verdict: errors
// candidates

datatype Bx<E> { Bx(e: E) }
function g<E>(e: E): int;
function h<E>(b: Bx E, e: E): bool;
axiom (forall<E> b: Bx E, e: E :: {h(b, e)} g(e) >= 0);

procedure Others(x: int)
{
  assert g(x) >= 0; //~ error[assertion]
}
