// Two steps become one, one layer at a time, with a ghost variable on top.
// favour: layer, call_layers, chain_action
var {:layer 0,2} x: int;
var {:layer 2,3} level: int;
yield procedure {:layer 0} Add(k: int);
refines both action {:layer 1} _ { x := x + k; }
yield procedure {:layer 1} AddTwo()
refines both action {:layer 2} _ { x := x + 2; }
{
  call Add(1);
  call Add(1);
}
yield procedure {:layer 2} AddFour()
refines atomic action {:layer 3} _ { level := level + 1; }
{
  call AddTwo();
  call AddTwo();
  call {:layer 2} level := Copy(level + 1);
}
