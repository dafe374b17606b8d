// The first fragment returns what the action does, the second one changes it: nobody does the action.

yield procedure {:layer 1} Zero() returns (r: int)
refines atomic action {:layer 2} _ { r := 0; }
{
  var again: bool;

  r := 0;
  yield;
  r := r + 1;
  while (again)
  invariant {:yields} true;
  {
    havoc again;
  }
}
