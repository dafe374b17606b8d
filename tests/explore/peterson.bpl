// explore: exhausted
// mode: failures trace
// scope: threads=2 calls=2
//
// Peterson's lock for two threads around a bit that every call flips. Who wants in raises a flag and gives way once;
// a thread waits while the other's flag is up and it is the other's turn.
//
// Layer 0 -> 1   the machine: one access per step. `Enter` and `Leave` fail if two threads are inside at once.
// Layer 1 -> 2   Flip is an atomic operation on `value`.

datatype Side { Left(), Right() }

var {:layer 0,1} flag: [Side]bool;
var {:layer 0,1} turn: Side;
var {:layer 0,1} inside: bool;       // is somebody between Enter and Leave?
var {:layer 0,1} bit: bool;
var {:layer 1,2} value: bool;

function {:inline} Other(side: Side): Side
{
  if side == Left() then Right() else Left()
}

atomic action {:layer 1} {:explore.init} NobodyInside()
{
  flag := MapConst(false);
  turn := Left();
  inside := false;
  bit := false;
}

atomic action {:layer 2} {:explore.init} NotFlipped()
{
  value := false;
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operation (layer 1) ---------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Flip({:linear} me: One Side) returns (old_bit: bool)
refines atomic action {:layer 2} _
{
  old_bit := value;
  value := !value;
}
{
  var up: bool;
  var whose: Side;

  up := false;
  whose := Left();
  call SetFlag(me->val, true);
  call Others();
  call SetTurn(Other(me->val));
  while (true)
  invariant {:yields} true;
  {
    call up := ReadFlag(Other(me->val));
    if (!up) {
      break;
    }
    call Others();
    call whose := ReadTurn();
    if (whose == me->val) {
      break;
    }
  }
  call Others();
  call Enter();
  call Others();
  call old_bit := ReadBit();
  call Others();
  call WriteBit(!old_bit);
  call Others();
  call Leave();
  call Others();
  call SetFlag(me->val, false);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} SetFlag(side: Side, up: bool);
refines atomic action {:layer 1} _
{
  flag[side] := up;
}

yield procedure {:layer 0} ReadFlag(side: Side) returns (up: bool);
refines atomic action {:layer 1} _
{
  up := flag[side];
}

yield procedure {:layer 0} SetTurn(side: Side);
refines atomic action {:layer 1} _
{
  turn := side;
}

yield procedure {:layer 0} ReadTurn() returns (side: Side);
refines atomic action {:layer 1} _
{
  side := turn;
}

yield procedure {:layer 0} Enter();
refines atomic action {:layer 1} _
{
  assert !inside;
  inside := true;
}

yield procedure {:layer 0} Leave();
refines atomic action {:layer 1} _
{
  assert inside;
  inside := false;
}

yield procedure {:layer 0} ReadBit() returns (seen: bool);
refines atomic action {:layer 1} _
{
  seen := bit;
}

yield procedure {:layer 0} WriteBit(new_bit: bool);
refines atomic action {:layer 1} _
{
  bit := new_bit;
}
