procedure p()
{
  if (x > 0) {
    x := 1;
}

var y: int;
procedure q() { }
