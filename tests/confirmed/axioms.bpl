// Constants are what axioms say of them, and unique ones differ.
// verdict: errors

const n: int;
axiom 0 < n && n < 3;

const unique a: int;
const unique b: int;

procedure P()
{
  assert n == 1; //~ error[assertion]
}

procedure Q()
{
  assert a < b; //~ error[assertion]
}
