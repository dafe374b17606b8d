// Axioms about a datatype and a function that have nothing to do with the run.
// verdict: errors

type T;
type S;
datatype Box { Box(s: S) }
const c: Box;
axiom (forall a: Box :: a == c);
function g<E>(e: E): int;
axiom (forall<E> e: E :: {g(e)} g(e) >= 0);

procedure Unboxed(x: T, y: T)
{
  assert x == y; //~ error[assertion]
}
