// Two procedures call each other without progress.
// verdict: errors

var {:layer 0,1} x: int;

yield left procedure {:layer 1} Ping(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  call Pong(n); //~ error[measure] "decrease"
}

yield left procedure {:layer 1} Pong(n: int)
requires {:layer 1} 0 <= n;
measure {:layer 1} n;
{
  if (0 < n) {
    call Ping(n - 1);
  }
}
