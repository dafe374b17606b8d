// An axiom that bounds a type behind a datatype.
// verdict: errors
// candidates

type T;
datatype Box { Box(t: T) }
const c: Box;
axiom (forall a: Box :: a == c);

procedure Boxed(x: T, y: T)
{
  assert x == y; //~ error[assertion]
}
