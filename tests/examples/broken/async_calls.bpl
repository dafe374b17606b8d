// A wrong mover: one thread reads the number of hits. Moving a hit before the read changes what is read.

var {:layer 0,2} hits: int;

yield procedure {:layer 1} HitTwice()
refines atomic action {:layer 2} _
{
  hits := hits + 2;
}
{
  async call {:sync} Hit();
  async call {:sync} Hit();
}

left action {:layer 1} HIT()
{
  hits := hits + 1;
}

yield procedure {:layer 0} Hit();
refines HIT;

atomic action {:layer 1} READ() returns (n: int) //~ error[commutativity] "HIT"
{
  n := hits;
}

yield procedure {:layer 0} Read() returns (n: int);
refines READ;
