// An axiom over types that mentions nothing else.
// verdict: errors
// candidates

type W _;
datatype Hid<E> { Hid(w: W E) }
axiom (forall<E> a: Hid E, b: Hid E :: a == b);

procedure Hidden(x: W int, y: W int)
{
  assert x == y; //~ error[assertion]
}
