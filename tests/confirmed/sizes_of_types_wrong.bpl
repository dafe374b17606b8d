// Wrong assertions beside unique constants that the run does not need.
// verdict: errors

type T;
const unique c, d: T;

procedure Same(x: T, y: T)
{
  assert x == y; //~ error[assertion]
}

procedure All(m: [T]bool)
{
  assume m[c] && m[d];
  assert (forall t: T :: m[t]); //~ error[assertion]
}

const unique one, two: int;

procedure Free()
{
  assert one != 3; //~ error[assertion]
}
