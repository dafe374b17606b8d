// explore: exhausted
// mode: failures trace
// scope: threads=2 calls=2
//
// A ticket lock around a bit that every call flips: draw a number, wait until it is shown, leave by showing the next.
// Numbers grow for ever, so only bounded numbers of calls can be exhausted.
//
// Layer 0 -> 1   the machine: one access per step. `Enter` and `Leave` fail if two threads are inside at once.
// Layer 1 -> 2   Flip is an atomic operation on `value`.

var {:layer 0,1} next_ticket: int;   // the next number to draw
var {:layer 0,1} now_serving: int;   // the number shown
var {:layer 0,1} inside: bool;       // is somebody between Enter and Leave?
var {:layer 0,1} bit: bool;
var {:layer 1,2} value: bool;

atomic action {:layer 1} {:explore.init} NobodyInside()
{
  next_ticket := 0;
  now_serving := 0;
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

yield procedure {:layer 1} {:explore.root} Flip() returns (old_bit: bool)
refines atomic action {:layer 2} _
{
  old_bit := value;
  value := !value;
}
{
  var number, shown: int;

  shown := 0;
  call number := TakeNumber();
  while (true)
  invariant {:yields} true;
  {
    call shown := ReadServing();
    if (shown == number) {
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
  call ServeNext();
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} TakeNumber() returns (number: int);
refines atomic action {:layer 1} _
{
  number := next_ticket;
  next_ticket := next_ticket + 1;
}

yield procedure {:layer 0} ReadServing() returns (shown: int);
refines atomic action {:layer 1} _
{
  shown := now_serving;
}

yield procedure {:layer 0} ServeNext();
refines atomic action {:layer 1} _
{
  now_serving := now_serving + 1;
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
