// Division rounds down.
// verdict: errors

procedure P(n: int)
{
  var half: int;

  half := n div 2;
  assert 2 * half == n; //~ error[assertion]
}
