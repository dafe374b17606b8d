// explore: violation
// mode: failures
// scope: threads=2 calls=2
//
// `../barrier.bpl`, except that the sense is turned before the count is set anew: an arrival in between is forgotten.

datatype Side { Left(), Right() }

var {:layer 0,1} missing: int;          // threads that have not arrived yet
var {:layer 0,1} sense: bool;
var {:layer 0,1} work: [Side]int;       // the work that each has done
var {:layer 1,2} rounds: [Side]int;

atomic action {:layer 1} {:explore.init} NobodyThere()
{
  missing := 2;
  sense := false;
  work := MapConst(0);
}

atomic action {:layer 2} {:explore.init} NoRounds()
{
  rounds := MapConst(0);
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Round({:linear} me: One Side)
refines atomic action {:layer 2} _
{
  rounds[me->val] := rounds[me->val] + 1;
}
{
  var old_sense: bool;
  var last: bool;

  call Work(me->val);
  call Others();
  call old_sense := ReadSense();
  call Others();
  call last := Arrive();
  call Others();
  if (last) {
    call TurnSense();
    call Others();
    call ResetMissing();
  } else {
    call AwaitTurn(old_sense);
  }
  call Others();
  call Check(me->val);
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Work(side: Side);
refines atomic action {:layer 1} _
{
  work[side] := work[side] + 1;
}

// Nobody is behind `side`.
yield procedure {:layer 0} Check(side: Side);
refines atomic action {:layer 1} _
{
  assert (forall other: Side :: work[side] <= work[other]);
}

yield procedure {:layer 0} ReadSense() returns (seen: bool);
refines atomic action {:layer 1} _
{
  seen := sense;
}

yield procedure {:layer 0} TurnSense();
refines atomic action {:layer 1} _
{
  sense := !sense;
}

yield procedure {:layer 0} AwaitTurn(old_sense: bool);
refines atomic action {:layer 1} _
{
  assume sense != old_sense;
}

yield procedure {:layer 0} Arrive() returns (last: bool);
refines atomic action {:layer 1} _
{
  missing := missing - 1;
  last := missing == 0;
}

yield procedure {:layer 0} ResetMissing();
refines atomic action {:layer 1} _
{
  missing := 2;
}
