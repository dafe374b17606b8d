// Two different values of a type that has two, and as many as one likes of a type without bound.
// verdict: verified

type Node;
const unique a: bool;
const unique b: bool;
const unique x: Node;
const unique y: Node;
const unique z: Node;

procedure P()
{
  assert a == !b;
  assert x != y && y != z && x != z;
}
