// A run that evaluation cannot follow to its end says what it stumbled over.
function f(n: int): int;
axiom (forall n: int :: {f(n)} 0 <= f(n) + n * n);

procedure P(n: int)
{
  assert f(n) == 0;
}
