// A right mover procedure must end before its commit point: it may not end with a left mover.
// verdict: errors

type Tid;

var {:layer 0,1} owner: Option Tid;

right action {:layer 1} TAKE({:linear} me: One Tid) { assume owner is None; owner := Some(me->val); }
left action {:layer 1} GIVE({:linear} me: One Tid) { assert owner == Some(me->val); owner := None(); }
yield procedure {:layer 0} Take({:linear} me: One Tid); refines TAKE;
yield procedure {:layer 0} Give({:linear} me: One Tid); refines GIVE;

yield right procedure {:layer 1} M({:linear} me: One Tid)
requires {:layer 1} owner == Some(me->val);
{
  call Give(me); //~ error[mover-declaration] "right"
}
