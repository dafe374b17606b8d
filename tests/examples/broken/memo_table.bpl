// A table of results in which the wrong place is filled.

function F(k: int): int;

var {:layer 0,1} table: Map int int;

yield invariant {:layer 1} EntriesAreRight();
preserves (forall k: int :: Map_Contains(table, k) ==> Map_At(table, k) == F(k));

// Entries stay.
yield invariant {:layer 1} Known(k: int);
preserves Map_Contains(table, k);

yield procedure {:layer 1} Result(k: int) returns (v: int)
refines atomic action {:layer 2} _
{
  v := F(k);
}
preserves call EntriesAreRight();
ensures call Known(k);
{
  var found: bool;

  call found, v := Lookup(k);
  if (!found) {
    v := F(k);
    call EntriesAreRight();
    call Enter(k + 1, v);    // should be k //~ error[noninterference] "EntriesAreRight"
  } //~ error[postcondition] "Result" error[postcondition] "Result"
}

// Fills the table below `n`.
yield procedure {:layer 1} Prepare(n: int)
preserves call EntriesAreRight();
{
  var k, v: int;

  k := 0;
  while (k < n)
  invariant {:yields} true;
  invariant call EntriesAreRight();
  {
    call v := Result(k);
    call EntriesAreRight() | Known(k);
    call v := At(k);
    assert {:layer 1} v == F(k);
    k := k + 1;
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Lookup(k: int) returns (found: bool, v: int);
refines atomic action {:layer 1} _
{
  found := Map_Contains(table, k);
  v := Map_At(table, k);
}

// Fails if there is no entry.
yield procedure {:layer 0} At(k: int) returns (v: int);
refines atomic action {:layer 1} _
{
  assert Map_Contains(table, k);
  v := Map_At(table, k);
}

yield procedure {:layer 0} Enter(k: int, v: int);
refines atomic action {:layer 1} _
{
  table := Map_Update(table, k, v);
}
