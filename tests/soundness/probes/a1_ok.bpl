// Nearest good neighbour of a1: the step before the loop is the step of the action.
// verdict: verified

var {:layer 0,2} x: int;
yield invariant {:layer 1} Y(); preserves true;

atomic action {:layer 1} A_Add1() modifies x; { x := x + 1; }
yield procedure {:layer 0} Add1(); refines A_Add1;
atomic action {:layer 2} A_P() modifies x; { if (*) { x := x + 1; } }
yield procedure {:layer 1} P() refines A_P;
{
  call Y();
  call Add1();
  while (*) invariant {:yields} true; { }
}
