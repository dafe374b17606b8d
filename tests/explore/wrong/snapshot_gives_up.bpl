// explore: violation
// mode: trace
// scope: threads=2 calls=3 int=2
//
// `../snapshot.bpl`, except that a scan that has failed once takes what it reads the second time.

datatype Side { Left(), Right() }

datatype Versioned { Versioned(value: int, version: int) }

datatype Both { Both(left: int, right: int) }

var {:layer 0,1} cells: [Side]Versioned;
var {:layer 1,2} values: [Side]int;

atomic action {:layer 1} {:explore.init} {:explore.scope "int", 2} Zeros()
{
  cells := MapConst(Versioned(0, 0));
}

atomic action {:layer 2} {:explore.init} NoValues()
{
  values := MapConst(0);
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Write(side: Side, value: int)
refines atomic action {:layer 2} _
{
  values[side] := value;
}
{
  call WriteCell(side, value);
}

yield procedure {:layer 1} {:explore.root} Scan() returns (both: Both)
refines atomic action {:layer 2} _
{
  both := Both(values[Left()], values[Right()]);
}
{
  var left, right, left_again, right_again: Versioned;
  var tried: bool;

  tried := false;
  left := Versioned(0, 0);
  right := Versioned(0, 0);
  left_again := Versioned(0, 0);
  right_again := Versioned(0, 0);
  while (true)
  invariant {:yields} true;
  {
    call left := ReadCell(Left());
    call Others();
    call right := ReadCell(Right());
    call Others();
    call left_again := ReadCell(Left());
    call Others();
    call right_again := ReadCell(Right());
    if (tried || (left == left_again && right == right_again)) {
      both := Both(left->value, right->value);
      return;
    }
    tried := true;
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadCell(side: Side) returns (seen: Versioned);
refines atomic action {:layer 1} _
{
  seen := cells[side];
}

yield procedure {:layer 0} WriteCell(side: Side, value: int);
refines atomic action {:layer 1} _
{
  cells[side] := Versioned(value, cells[side]->version + 1);
}
