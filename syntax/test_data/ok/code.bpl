// Code expressions, and comments in odd places.
axiom |{ var x: int; /* one */ start: x := 1; goto a, b; a: assume x > 0; return true; b: return x == 1; }|;
procedure /* a */ p /* b */ ( /* c */ ) // d
// e
{ // f
  // g
  x /* h */ := /* i */ 1 /* j */ ; // k
  // l
} // m
// n
