// Thread identifiers that are plain values: nothing says that two threads have different ones, so a thread
// cannot rely on its slot.

type Tid;

var {:layer 0,1} slots: [Tid]int;

yield procedure {:layer 1} Main(tid: Tid)
{
  while (true)
  invariant {:yields} true;
  {
    async call Worker(tid);
  }
}

yield procedure {:layer 1} Worker(tid: Tid)
{
  var v, w: int;

  call v := Read(tid);
  yield slots[tid] == v;
  call Write(tid, v + 1); //~ error[noninterference] "Worker.yield1" error[noninterference] "Worker.yield2"
  yield slots[tid] == v + 1;
  call w := Read(tid);
  assert {:layer 1} w == v + 1;
}

yield procedure {:layer 0} Read(tid: Tid) returns (v: int);
refines atomic action {:layer 1} _
{
  v := slots[tid];
}

yield procedure {:layer 0} Write(tid: Tid, v: int);
refines atomic action {:layer 1} _
{
  slots[tid] := v;
}
