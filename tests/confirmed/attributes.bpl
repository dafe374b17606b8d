// Attributes that change what is to be proved, and that are not honoured.
// verdict: unknown

procedure P(x: int)
{
  assert {:verified_under x < 3} x > 2;
}

procedure Q()
{
  var {:assumption} a: bool;

  assert a;
}

procedure {:selective_checking} R(x: int)
{
  assert x > 0;
  assume {:start_checking_here} true;
}

procedure S(x: int);
free requires {:always_assume} x > 0;

procedure T(x: int)
{
  call S(x);
  assert x > 0;
}
