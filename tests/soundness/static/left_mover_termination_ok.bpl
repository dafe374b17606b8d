// A left mover that counts down.
// verdict: verified

var {:layer 0,2} total: int;

left action {:layer 1} ADD(k: int) { total := total + k; }
yield procedure {:layer 0} Add(k: int); refines ADD;

yield left procedure {:layer 1} Down(n: int)
requires {:layer 1} 0 <= n;
ensures {:layer 1} total == old(total) + n;
measure {:layer 1} n;
{
  if (n != 0) {
    call Add(1);
    call Down(n - 1);
  }
}

yield procedure {:layer 1} P()
refines atomic action {:layer 2} _ { total := total + 42; }
{
  call Down(42);
}
