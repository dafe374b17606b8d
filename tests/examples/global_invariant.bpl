// A global invariant holds between any two steps, because every action of its layer keeps it.
// An action may rely on it: `requires call` makes it a precondition of the action.
//
// Here a dispatcher picks any server that is up. Picking moves left (over the step of another thread that takes
// a server down), which needs that picking never gets stuck: server 0 is always up.

var {:layer 0,1} up: [int]bool;

invariant {:layer 1} ServerZeroIsUp();
preserves up[0];

left action {:layer 1} PICK() returns (server: int)
requires call ServerZeroIsUp();
{
  assume up[server];
}

// Nobody takes server 0 down.
atomic action {:layer 1} TAKE_DOWN(server: int)
{
  assert server != 0;
  up[server] := false;
}

yield procedure {:layer 1} Maintain(server: int)
requires {:layer 1} server != 0;
{
  call TakeDown(server);
}

yield procedure {:layer 1} Dispatch()
requires call ServerZeroIsUp();
{
  var first, second: int;

  // Two left movers in a row: no yield needed.
  call first := Pick();
  call second := Pick();
}

yield procedure {:layer 0} Pick() returns (server: int);
refines PICK;

yield procedure {:layer 0} TakeDown(server: int);
refines TAKE_DOWN;
