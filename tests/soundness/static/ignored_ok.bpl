// What is ignored is not there, and nothing misses it.
// verdict: verified

procedure {:ignore} P() ensures false; { }
axiom {:ignore} false;

procedure P() ensures true; { }
procedure Q() { call P(); assert 1 + 1 == 2; }
