// Recursion and loops that end.
// verdict: verified

var {:layer 0,1} x: int;

yield procedure {:layer 0} Add();
refines left action {:layer 1} _ { x := x + 1; }

yield left procedure {:layer 1} Down(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  if (0 < n) {
    call Add();
    call Down(n - 1);
  }
}

yield left procedure {:layer 1} Pairs(a: int, b: int)
requires {:layer 1} 0 <= a && 0 <= b;
measure {:layer 1} a, b;
{
  if (0 < b) {
    call Pairs(a, b - 1);
  } else if (0 < a) {
    call Pairs(a - 1, 10);
  }
}

yield left procedure {:layer 1} Ping(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  if (0 < n) {
    call Pong(n - 1);
  }
}

yield left procedure {:layer 1} Pong(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  if (0 < n) {
    call Ping(n - 1);
  }
}

procedure Loop(n: int)
requires 0 <= n;
{
  var i: int;

  i := n;
  while (0 < i)
  invariant 0 <= i;
  measure i;
  {
    i := i - 1;
  }
}
