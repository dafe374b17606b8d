// Synchronised asynchronous calls inside a mover and a procedure.
// favour: toggle_async, mover
var {:layer 0,3} hits: int;
yield procedure {:layer 0} Hit(k: int);
refines left action {:layer 1,2} _ { hits := hits + k; }
yield left procedure {:layer 1} Both(k: int)
ensures {:layer 1} hits == old(hits) + 2 * k;
{
  async call {:sync} Hit(k);
  call Hit(k);
}
yield procedure {:layer 1} HitTwice(k: int)
refines left action {:layer 2} _ { hits := hits + 2 * k; }
{
  call Both(k);
}
yield procedure {:layer 2} Main()
refines atomic action {:layer 3} _ { hits := hits + 4; }
{
  async call {:sync} HitTwice(1);
  async call {:sync} HitTwice(1);
}
