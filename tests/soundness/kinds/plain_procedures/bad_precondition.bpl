// The caller does not know that the number is natural.
// verdict: errors

var count: int;

procedure Bump(k: int)
modifies count;
requires 0 <= k;
{
  count := count + k;
}

procedure P(k: int)
modifies count;
{
  call Bump(k * k - 1); //~ error[precondition]
}
