// A ghost variable written at every layer: the machine of layer 0 does not have it.

var {:layer 0,1} door_open: bool;
var {:layer 1,2} log: Vec bool;

yield procedure {:layer 1} MoveDoor(open: bool)
refines atomic action {:layer 2} _
{
  log := Vec_Append(log, open);
}
{
  call SetDoor(open);
  call log := Copy(Vec_Append(log, open)); //~ error[var-out-of-layer] "log"
}

yield procedure {:layer 0} SetDoor(open: bool);
refines atomic action {:layer 1} _
{
  door_open := open;
}
