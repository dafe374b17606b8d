// Ghost variables at two layers.
// favour: insert_ghost, call_layers
var {:layer 0,1} x: int;
var {:layer 1,2} steps: int;
yield invariant {:layer 1} Steps(n: int);
preserves n <= steps;
yield procedure {:layer 0} Set(v: int);
refines atomic action {:layer 1} _ { x := v; }
yield procedure {:layer 1} Step(v: int)
refines atomic action {:layer 2} _ { steps := steps + 1; }
{
  var {:layer 1} before: int;
  call Set(v);
  call {:layer 1} before := Copy(steps);
  call {:layer 1} steps := Copy(steps + 1);
  assert {:layer 1} steps == before + 1;
}
yield procedure {:layer 2} User(v: int)
{
  call Step(v);
}
