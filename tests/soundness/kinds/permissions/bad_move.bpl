// A permission can only be moved to a variable with the same value.
// verdict: errors

type Key;

yield procedure {:layer 1} P({:linear_in} a: One Key, {:linear_out} b: One Key)
{
  call Move(a, b); //~ error[permission] "Move"
}
