// After havoc nothing is known.

procedure P()
{
  var i: int;

  i := 1;
  havoc i;
  assume 0 <= i;
  assert 1 <= i; //~ error[assertion]
}
