var {:layer 0,2} x: int;
var {:layer 0,2} slots: [int]bool;

atomic action {:layer 2} TAKE(i: int) returns (ok: bool)
{
  havoc ok;
  if (ok) {
    slots[i] := true;
    x := x + 1;
  }
}

atomic action {:layer 1} TAKE_LOW(i: int) returns (ok: bool)
refines TAKE;
{
  slots[i] := true;
  x := x + 2;
  ok := true;
}
