// Nothing says that the address is in memory.
// verdict: errors

var {:layer 0,1} {:linear} memory: Map (One Loc) int;

yield procedure {:layer 0} Read(loc: Loc) returns (v: int);
refines atomic action {:layer 1} _ { call v := Path_Load(memory->val[One(loc)]); }

yield procedure {:layer 1} P(loc: Loc)
{
  var v: int;

  call v := Read(loc); //~ error[gate]
}
