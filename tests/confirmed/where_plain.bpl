// `where` clauses of inputs, results and locals hold on entry, after `havoc` and at loop heads.
// verdict: verified

procedure Entry(x: int where x >= 0) returns (r: int where r > x)
{
  var l: int where l == r + x;

  assert x >= 0;
  assert r > x;
  assert l == r + x;
}

procedure Forgotten(x: int where x > 1) returns (r: int where r > x)
{
  havoc r;
  assert r > x;
  while (*)
  {
    r := r + 1;
  }
  assert r > x;
}

procedure Declared(x: int where x > 1);

implementation Declared(y: int)
{
  assert y > 1;
}

procedure Result() returns (r: int where r > 0);

procedure Caller()
{
  var a: int;

  call a := Result();
  assert a > 0;
}
