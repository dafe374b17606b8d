// The precondition of an action does not hold at its call.
// verdict: errors

var {:layer 0,1} x: int;

left action {:layer 1} SKIP_IF(k: int)
requires {:layer 1} 0 < k;
{
  assume 0 < k;
}

yield procedure {:layer 0} SkipIf(k: int);
refines SKIP_IF;

yield procedure {:layer 1} P(k: int)
requires {:layer 1} 0 <= k;
{
  call SkipIf(k); //~ error[action-precondition]
}
