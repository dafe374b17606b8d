// One thread relies on what another changes.
var {:layer 0,1} level: [int]int;

yield invariant {:layer 1} AtLeast(i: int, n: int);
preserves n <= level[i];

yield procedure {:layer 0} Lower(i: int);
refines atomic action {:layer 1} _ { level[i] := level[i] - 1; }

yield procedure {:layer 1} Watch(i: int, n: int)
requires call AtLeast(i, n);
ensures call AtLeast(i, n);
{
  call AtLeast(i, n);
}

yield procedure {:layer 1} Drain(i: int)
{
  call Lower(i);
}
