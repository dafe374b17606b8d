// A loop that yields: `invariant {:yields} true` lets other threads run before each round. Facts about shared
// variables that the loop relies on are yield invariants; facts about locals are ordinary loop invariants.

var {:layer 0,1} level: int;

// The level only rises.
yield invariant {:layer 1} LevelReached(n: int);
preserves n <= level;

yield procedure {:layer 1} FillBy(amount: int)
requires {:layer 1} 0 <= amount;
requires call LevelReached(0);
ensures call LevelReached(amount);
{
  var i: int;

  i := 0;
  while (i < amount)
  invariant {:yields} true;
  invariant {:layer 1} 0 <= i && i <= amount;
  invariant call LevelReached(i);
  {
    call Drop();
    i := i + 1;
  }
}

yield procedure {:layer 0} Drop();
refines atomic action {:layer 1} _
{
  level := level + 1;
}
