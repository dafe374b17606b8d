// The callee wants a natural number.
// verdict: errors

var {:layer 0,1} x: int;

yield procedure {:layer 1} Callee(n: int)
requires {:layer 1} 0 <= n;
{
}

yield procedure {:layer 1} P(n: int)
requires {:layer 1} -1 <= n;
{
  call Callee(n); //~ error[precondition]
}
