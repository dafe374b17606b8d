// Ghost variables: `log` is introduced at layer 1. The machine knows nothing of it; the program of layer 1 writes
// it with pure calls, which exist only at that layer. At layer 2 the log is all that is left.

var {:layer 0,1} door_open: bool;
var {:layer 1,2} log: Vec bool;   // all states the door has had, oldest first

// The last entry of the log is the state of the door.
yield invariant {:layer 1} LogIsCurrent();
preserves 0 < Vec_Len(log);
preserves Vec_Nth(log, Vec_Len(log) - 1) == door_open;

yield procedure {:layer 1} MoveDoor(open: bool)
refines atomic action {:layer 2} _
{
  log := Vec_Append(log, open);
}
preserves call LogIsCurrent();
{
  call SetDoor(open);
  call {:layer 1} log := Copy(Vec_Append(log, open));
}

yield procedure {:layer 1} Look() returns (open: bool)
refines atomic action {:layer 2} _
{
  open := Vec_Nth(log, Vec_Len(log) - 1);
}
preserves call LogIsCurrent();
{
  call open := ReadDoor();
}

yield procedure {:layer 0} SetDoor(open: bool);
refines atomic action {:layer 1} _
{
  door_open := open;
}

yield procedure {:layer 0} ReadDoor() returns (open: bool);
refines atomic action {:layer 1} _
{
  open := door_open;
}
