// A callee changes what its modifies clause lists, and says no more.
// verdict: errors

var count: int;
var other: int;

procedure Touch()
modifies count;
ensures 0 <= count;
{
  count := 0;
}

procedure P()
modifies count;
requires count == 5 && other == 5;
{
  call Touch();
  assert other == 5;
  assert count == 5; //~ error[assertion]
}
