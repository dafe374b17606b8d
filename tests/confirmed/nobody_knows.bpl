// Right, and nonlinear: whatever values a solver tries, no run may be confirmed.
// verdict: verified

function {:inline} Square(x: int): int
{
  x * x
}

// True of all integers, and nonlinear.
procedure Never(m: [int]int)
  requires (forall i: int :: m[i] == Square(i));
{
  assert (forall i, j: int :: Square(i) * Square(j) == Square(i * j));
  assert (exists i: int :: i > 5 && m[m[i]] == Square(Square(i)) && Square(i) * 3 != 7);
}
