// One action does not keep the global invariant: it takes down any server, server 0 included.

var {:layer 0,1} up: [int]bool;

invariant {:layer 1} ServerZeroIsUp();
preserves up[0]; //~ error[noninterference] "TAKE_DOWN"

left action {:layer 1} PICK() returns (server: int)
requires call ServerZeroIsUp();
{
  assume up[server];
}

atomic action {:layer 1} TAKE_DOWN(server: int)
{
  up[server] := false;
}

yield procedure {:layer 1} Maintain(server: int)
{
  call TakeDown(server);
}

yield procedure {:layer 1} Dispatch()
requires call ServerZeroIsUp();
{
  var server: int;

  call server := Pick();
}

yield procedure {:layer 0} Pick() returns (server: int);
refines PICK;

yield procedure {:layer 0} TakeDown(server: int);
refines TAKE_DOWN;
