// An inlined procedure does what its implementation does, wherever that stands.
// verdict: unknown

var g: int;

procedure {:inline 1} Q(a: int) returns (b: int);
modifies g;

implementation Q(c: int) returns (b: int)
{
  var l: int where l > 2;

  b := c + 1;
  g := b + l;
}

procedure R()
modifies g;
{
  var y: int;

  call y := Q(3);
  assert y == 4 && g > 6;
}
