// After havoc nothing is known.
// verdict: errors

procedure P()
{
  var i: int;

  i := 1;
  havoc i;
  assume 0 <= i;
  assert 1 <= i; //~ error[assertion]
}
