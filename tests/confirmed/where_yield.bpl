// The same in yield procedures, and for the results of callees at a yield and of mover procedures.
// verdict: verified

yield procedure {:layer 1} Entry(x: int where x >= 0) returns (r: int where r >= x)
ensures {:layer 1} r >= 0;
{
  var l: int where l > 5;

  assert {:layer 1} x >= 0 && r >= 0 && l > 5;
  havoc r;
  havoc l;
  assert {:layer 1} r >= 0 && l > 5;
  while (*)
  invariant {:layer 1} true;
  {
    havoc l;
  }
  assert {:layer 1} l > 5;
}

yield procedure {:layer 0} Machine() returns (r: int where r > 0);

yield left procedure {:layer 1} Mover() returns (r: int where r > 0);

yield procedure {:layer 0} Yields()
{
  var a: int;

  call a := Machine();
  assert {:layer 0} a > 0;
}

yield procedure {:layer 1} Moves()
{
  var a: int;

  call a := Mover();
  assert {:layer 1} a > 0;
}
