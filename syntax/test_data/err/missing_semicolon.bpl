var x: int
var y: int;
procedure p()
{
  x := 1
  y := 2;
}
