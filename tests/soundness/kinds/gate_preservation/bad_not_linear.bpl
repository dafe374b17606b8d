// Without permissions two threads may release the same lock.
// verdict: errors

type Tid;

var {:layer 0,1} owner: Option Tid;

left action {:layer 1} RELEASE(me: Tid)
{
  assert owner == Some(me); //~ error[gate-preservation] "RELEASE"
  owner := None();
}
