// Two-phase commit with lost linearity: a member can be asked by anybody, not only by the one who holds its
// permission. Two coordinators may ask the same member, and the later request overwrites the answer to the first.

datatype State { Working(), Prepared(), Committed(), Aborted() }

const n: int;        // members are numbered 0 .. n - 1
axiom 0 < n;

var {:layer 0,2} state: [int]State;

function {:inline} Outcome(commit: bool): State
{
  if commit then Committed() else Aborted()
}

// All members belong to the team.
function {:inline} Complete(team: UnitMap (One int)): bool
{
  (forall i: int :: 0 <= i && i < n ==> Map_Contains(team, One(i)))
}

// ---- Layer 2: one decision for all ---------------------------------------------------------------------

// Once decided, nobody changes the outcome: that takes the permissions in `team`.
yield invariant {:layer 2} Decided({:linear} team: UnitMap (One int), commit: bool);
preserves (forall i: int :: {state[i]}
  0 <= i && i < n ==> Map_Contains(team, One(i)) && state[i] == Outcome(commit));

atomic action {:layer 2} DECIDE({:linear_in} team: UnitMap (One int)) returns ({:linear} team': UnitMap (One int), commit: bool)
{
  assert Complete(team);
  team' := team;
  state := (lambda i: int :: if 0 <= i && i < n then Outcome(commit) else state[i]);
}

yield procedure {:layer 2} Transaction({:linear_in} team: UnitMap (One int))
requires {:layer 1,2} Complete(team);
{
  var mine: UnitMap (One int);
  var commit: bool;

  call mine, commit := TwoPhaseCommit(team);
  call Decided(mine, commit);
  assert {:layer 2} (forall i: int, j: int :: 0 <= i && i < n && 0 <= j && j < n ==> state[i] == state[j]);
}

// ---- Layer 1: the protocol -----------------------------------------------------------------------------

yield procedure {:layer 1} TwoPhaseCommit({:linear_in} team: UnitMap (One int)) returns ({:linear} team': UnitMap (One int), commit: bool)
refines DECIDE;
requires {:layer 1} Complete(team);
{
  var i: int;
  var member: One int;
  var yes: bool;
  var {:layer 1} before: [int]State;

  call {:layer 1} before := Copy(state);
  team' := team;
  commit := true;

  // Phase one: ask everybody.
  i := 0;
  while (i < n)
  invariant {:layer 1} 0 <= i && i <= n;
  invariant {:layer 1} team' == team;
  invariant {:layer 1} (forall k: int :: 0 <= k && k < i && commit ==> state[k] == Prepared());
  invariant {:layer 1} (forall k: int :: k < 0 || n <= k ==> state[k] == before[k]);
  {
    member := One(i);
    call One_Get(team', member);
    call yes := Prepare(member);
    call One_Put(team', member);
    commit := commit && yes;
    i := i + 1;
  }

  // Phase two: tell everybody.
  i := 0;
  while (i < n)
  invariant {:layer 1} 0 <= i && i <= n;
  invariant {:layer 1} team' == team;
  invariant {:layer 1} (forall k: int :: 0 <= k && k < i ==> state[k] == Outcome(commit));
  invariant {:layer 1} (forall k: int :: i <= k && k < n && commit ==> state[k] == Prepared());
  invariant {:layer 1} (forall k: int :: k < 0 || n <= k ==> state[k] == before[k]);
  {
    member := One(i);
    call One_Get(team', member);
    call Finish(member, commit);
    call One_Put(team', member);
    i := i + 1;
  }
}

// ---- The members (layer 0) -----------------------------------------------------------------------------

// A member may refuse for reasons of its own.
yield procedure {:layer 0} Prepare(member: One int) returns (yes: bool);
refines right action {:layer 1} _ //~ error[commutativity] "Prepare" error[commutativity] "Prepare"
{
  state[member->val] := if yes then Prepared() else Aborted();
}

// Nobody commits unprepared.
yield procedure {:layer 0} Finish({:linear} member: One int, commit: bool);
refines left action {:layer 1} _
{
  assert commit ==> state[member->val] == Prepared(); //~ error[gate-preservation]
  state[member->val] := Outcome(commit);
}
