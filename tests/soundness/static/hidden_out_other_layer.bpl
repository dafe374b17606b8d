// The parameter is hidden: the action of layer 1 hands nothing out, so `p` is no permission there.
// verdict: errors

type Tid;
var {:layer 0,2} {:linear} pool: UnitMap (One Tid);

yield procedure {:layer 0} Take({:hide} {:linear_out} p: One Tid);
refines both action {:layer 1} _ { }

yield invariant {:layer 1} Others(); preserves true;

yield procedure {:layer 1} P(p: One Tid)
{
  call Take(p);
  call Others();
  assert {:layer 1} !Set_Contains(pool->dom, p); //~ error[assertion]
}
