// explore: violation
// mode: failures
// scope: threads=3 calls=1 int=1
//
// `../readers_writer_lock.bpl`, except that readers count themselves without their lock: two may both think they are first or last.

var {:layer 0,1} counting: bool;        // the small lock around `readers`
var {:layer 0,1} readers: int;
var {:layer 0,1} busy: bool;            // the lock of a writer, or of all readers
var {:layer 0,1} low: int;
var {:layer 0,1} high: int;
var {:layer 1,2} value: int;

atomic action {:layer 1} {:explore.init} {:explore.scope "int", 2} NobodyInside()
{
  counting := false;
  readers := 0;
  busy := false;
  low := 0;
  high := 0;
}

atomic action {:layer 2} {:explore.init} Zero()
{
  value := 0;
}

// Other threads may run wherever this is called.
yield invariant {:layer 1} Others();

// ---- The operations (layer 1) --------------------------------------------------------------------------

yield procedure {:layer 1} {:explore.root} Read() returns (seen: int)
refines atomic action {:layer 2} _
{
  seen := value;
}
{
  var high_seen: int;

  call BeginRead();
  call seen := ReadLow();
  call Others();
  call high_seen := ReadHigh();
  assert {:layer 1} seen == high_seen;
  call EndRead();
}

yield procedure {:layer 1} {:explore.root} Write(new_value: int)
refines atomic action {:layer 2} _
{
  value := new_value;
}
{
  call LockBusy();
  call Others();
  call WriteLow(new_value);
  call Others();
  call WriteHigh(new_value);
  call Others();
  call UnlockBusy();
}

yield procedure {:layer 1} BeginRead()
{
  var count: int;

  call count := ReadReaders();
  call Others();
  call WriteReaders(count + 1);
  call Others();
  if (count == 0) {
    call LockBusy();
    call Others();
  }
}

yield procedure {:layer 1} EndRead()
{
  var count: int;

  call count := ReadReaders();
  call Others();
  call WriteReaders(count - 1);
  call Others();
  if (count == 1) {
    call UnlockBusy();
    call Others();
  }
}

// ---- The machine (layer 0) -----------------------------------------------------------------------------

yield procedure {:layer 0} ReadReaders() returns (seen: int);
refines atomic action {:layer 1} _
{
  seen := readers;
}

yield procedure {:layer 0} WriteReaders(new_value: int);
refines atomic action {:layer 1} _
{
  readers := new_value;
}

yield procedure {:layer 0} ReadLow() returns (seen: int);
refines atomic action {:layer 1} _
{
  seen := low;
}

yield procedure {:layer 0} WriteLow(new_value: int);
refines atomic action {:layer 1} _
{
  low := new_value;
}

yield procedure {:layer 0} ReadHigh() returns (seen: int);
refines atomic action {:layer 1} _
{
  seen := high;
}

yield procedure {:layer 0} WriteHigh(new_value: int);
refines atomic action {:layer 1} _
{
  high := new_value;
}

yield procedure {:layer 0} LockCounting();
refines atomic action {:layer 1} _
{
  assume !counting;
  counting := true;
}

yield procedure {:layer 0} UnlockCounting();
refines atomic action {:layer 1} _
{
  assert counting;
  counting := false;
}

yield procedure {:layer 0} LockBusy();
refines atomic action {:layer 1} _
{
  assume !busy;
  busy := true;
}

yield procedure {:layer 0} UnlockBusy();
refines atomic action {:layer 1} _
{
  assert busy;
  busy := false;
}
