// Section 14.1: the step before a yielding loop is a step like any other.
// Expected: refinement error in P, whose first step adds 5 where the action allows 0 or 1.
// verdict: errors

var {:layer 0,2} x: int;
yield invariant {:layer 1} Y(); preserves true;

atomic action {:layer 1} A_Add5() modifies x; { x := x + 5; }
yield procedure {:layer 0} Add5(); refines A_Add5;
atomic action {:layer 2} A_P() modifies x; { if (*) { x := x + 1; } }
yield procedure {:layer 1} P() refines A_P;
{
  call Y();
  call Add5(); //~ error[refinement]
  while (*) invariant {:yields} true; { }
}
