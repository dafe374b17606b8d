// The implementation would have a permission that no caller gives.
// verdict: errors

type Tid;

yield procedure {:layer 1} Nop() { }

yield procedure {:layer 1} P(s: One Tid, t: One Tid);
implementation P({:linear_in} s: One Tid, {:linear_in} t: One Tid) //~ error[implementation-mismatch] error[implementation-mismatch]
{
  call Nop();
  assert {:layer 1} s != t;
}
