// Runs that are confirmed because quantifiers, libraries and lambdas are evaluated.
// verdict: errors

type Tid;

procedure Length(v: Vec int)
{
  assert Vec_Len(v) < 3; //~ error[assertion]
}

procedure Element(v: Vec int, i: int)
  requires Vec_Contains(v, i);
{
  assert Vec_Nth(v, i) > 0; //~ error[assertion]
}

procedure Order(v: Vec int, w: Vec int)
  requires Vec_Len(v) == 1;
{
  assert Vec_Concat(v, w) == Vec_Concat(w, v); //~ error[assertion]
}

procedure Interval(x: int)
{
  assert Set_IsSubset(Range(0, 5), Range(0, x)); //~ error[assertion]
}

procedure Chosen(s: [int]bool)
  requires s[1] && s[2];
{
  assert Choice(s) == 1; //~ error[assertion]
}

procedure OnlyOne(s: [Tid]bool, x: Tid)
  requires (forall y: Tid :: s[y] ==> y == x);
{
  assert s[x]; //~ error[assertion]
}

procedure Sorted(m: [int]int, n: int)
  requires n > 2;
  requires (forall i, j: int :: 0 <= i && i < j && j < n ==> m[i] <= m[j]);
{
  assert m[0] < m[1]; //~ error[assertion]
}

function f(x: int): int;
axiom (forall x: int :: f(x) >= 0);

procedure Positive(x: int)
{
  assert f(x) > 0; //~ error[assertion]
}
