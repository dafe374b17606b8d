// Thread identifiers as permissions (Figure 4 of the CIVL paper, CAV 2015), with the statement `yield e;`.
//
// The expression may mention local variables, which nobody else can change, and relies on all permissions
// that the thread holds at that point: "my identifier is not yours".

type Tid;

var {:layer 0,1} {:linear} pool: UnitMap (One Tid);   // identifiers of threads that do not run yet
var {:layer 0,1} slots: [Tid]int;

yield procedure {:layer 1} Main()
{
  var tid: One Tid;

  while (true)
  invariant {:yields} true;
  {
    call tid := Allocate();
    async call Worker(tid);
  }
}

yield procedure {:layer 1} Worker({:linear_in} tid: One Tid)
{
  var v, w: int;

  call v := Read(tid);
  yield slots[tid->val] == v;
  call Write(tid, v + 1);
  yield slots[tid->val] == v + 1;
  call w := Read(tid);
  assert {:layer 1} w == v + 1;
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} Allocate() returns ({:linear} tid: One Tid);
refines right action {:layer 1} _
{
  assume Map_Contains(pool, tid);
  call One_Get(pool, tid);
}

yield procedure {:layer 0} Read({:linear} tid: One Tid) returns (v: int);
refines atomic action {:layer 1} _
{
  v := slots[tid->val];
}

yield procedure {:layer 0} Write({:linear} tid: One Tid, v: int);
refines atomic action {:layer 1} _
{
  slots[tid->val] := v;
}
