// expect: refused
// VERIFIED by civl --strict (binary of 16:37, run at 17:05), but WRONG: same cause as c07, in a mover check. Twice counts as a right mover because its argument of ordinary type `Map int int` is assumed to be well-formed.
// Run: y = 1, m not well-formed. P: Twice(m): y = 2. Q: Inc: y = 3. P: Stop (needs nothing): returns. At layer 2 P is y := 2 * y and Q is y := y + 1, each in one step:
//   from y = 1 that gives 3 (P, Q) or 4 (Q, P); here it is 3, fine; but P reads y at its second step: r = 3, while layer 2 says r == 2 * old(y): 2 or 4. So r = 3 is impossible there.
var {:layer 0,2} y: int;
yield procedure {:layer 0} Twice({:linear} m: Map int int);
refines right action {:layer 1} _ { if (!Map_WellFormed(m)) { y := 2 * y; } }
yield procedure {:layer 0} Get() returns (r: int);
refines atomic action {:layer 1} _ { r := y; }
yield procedure {:layer 0} Inc();
refines atomic action {:layer 1} _ { y := y + 1; }
yield procedure {:layer 1} Q()
refines atomic action {:layer 2} _ { y := y + 1; }
{
  call Inc();
}
yield procedure {:layer 1} P(m: Map int int) returns (r: int)
refines atomic action {:layer 2} _ { if (!Map_WellFormed(m)) { y := 2 * y; } r := y; }
{
  call Twice(m);
  call r := Get();
}
