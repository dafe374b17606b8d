// A museum counts its visitors. Doors count up, and in the evening the guard sets the counter back.
// One word of this program is wrong. Save the file, and see which.

var {:layer 0,2} visitors: int;

// ---- Layer 1: the steps of the machine, as seen from above

left action {:layer 1} COUNT()
{
  visitors := visitors + 1;
}

atomic action {:layer 1} SET_BACK() returns (today: int)
{
  today := visitors;
  visitors := 0;
}

yield procedure {:layer 0} Count();
refines COUNT;

yield procedure {:layer 0} SetBack() returns (today: int);
refines SET_BACK;

// ---- Layer 2: what the people of the museum do

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
