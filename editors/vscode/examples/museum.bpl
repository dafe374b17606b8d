// A museum counts its visitors. Doors count up, and in the evening the guard sets the counter back.
// One word of this program is wrong. Save the file, and see which.

var {:layer 0,2} visitors: int;

// ---- Layer 0: the steps of the machine, each described by an action at layer 1

yield procedure {:layer 0} Count();
refines left action {:layer 1} _
{
  visitors := visitors + 1;
}

yield procedure {:layer 0} SetBack() returns (today: int);
refines atomic action {:layer 1} _
{
  today := visitors;
  visitors := 0;
}

// ---- Layer 1: what the people of the museum do

yield procedure {:layer 1} Enter()
refines atomic action {:layer 2} _
{
  visitors := visitors + 1;
}
{
  call Count();
}

yield procedure {:layer 1} Evening() returns (today: int)
refines atomic action {:layer 2} _
{
  today := visitors;
  visitors := 0;
}
{
  call today := SetBack();
}
