// Three different values of a type that has two.
// verdict: errors

const unique a: bool;
const unique b: bool;
const unique c: bool; //~ error[too-many-unique]

procedure P()
{
  assert a == b || b == c || a == c;
  assert a != b && b != c && a != c;
  assert false;
}
