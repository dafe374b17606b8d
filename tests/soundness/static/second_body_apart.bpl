// One body in the declaration and one apart are two.
// verdict: errors

yield procedure {:layer 1} P()
{
  assert {:layer 1} true;
}

implementation P() //~ error[procedure-bodies]
{
  assert {:layer 1} false;
}
