// A log whose reader reads the entry behind the last one, over and over.

type Entry;

var {:layer 0,2} log: Vec Entry;

// The log has grown since it was `earlier`.
yield invariant {:layer 2} Grown(earlier: Vec Entry);
preserves Vec_Len(earlier) <= Vec_Len(log);
preserves (forall i: int :: Vec_Contains(earlier, i) ==> Vec_Nth(log, i) == Vec_Nth(earlier, i));

// ---- A client (layer 2) --------------------------------------------------------------------------------

yield procedure {:layer 2} Client(entry: Entry)
{
  var first, second: Vec Entry;

  call first := Snapshot();
  call Grown(first);
  call Append(entry);
  call Grown(first);
  call second := Snapshot();
  assert {:layer 2} Vec_Slice(second, 0, Vec_Len(first)) == Vec_Slice(first, 0, Vec_Len(first));
}

// ---- A snapshot, entry by entry (layer 1) --------------------------------------------------------------

yield procedure {:layer 1} Snapshot() returns (copy: Vec Entry)
refines atomic action {:layer 2} _
{
  assume Vec_Len(copy) == Vec_Len(log);
  assume (forall i: int :: Vec_Contains(log, i) ==> Vec_Nth(copy, i) == Vec_Nth(log, i));
}
{
  var length: int;
  var entry: Entry;
  var {:layer 1} before: Vec Entry;

  call {:layer 1} before := Copy(log);
  call length := Length();
  copy := Vec_Empty();
  while (Vec_Len(copy) < length)
  invariant {:layer 1} Vec_Len(copy) <= length;
  measure {:layer 1} length - Vec_Len(copy);
  invariant {:layer 1} (forall i: int :: Vec_Contains(copy, i) ==> Vec_Nth(copy, i) == Vec_Nth(before, i));
  {
    call entry := Read(length);    // should be `Vec_Len(copy)` //~ error[gate] "Read"
    copy := Vec_Append(copy, entry);
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Append(entry: Entry);
refines atomic action {:layer 1,2} _
{
  log := Vec_Append(log, entry);
}

yield procedure {:layer 0} Length() returns (length: int);
refines atomic action {:layer 1} _
{
  length := Vec_Len(log);
}

// Entries never change: it does not matter when they are read.
yield procedure {:layer 0} Read(i: int) returns (entry: Entry);
refines both action {:layer 1} _
{
  assert Vec_Contains(log, i);
  entry := Vec_Nth(log, i);
}
