// verdict: not-verified
// The body is not asked, so its contract is only believed.
procedure {:verify false} Bad() ensures false; { }
procedure Use() { call Bad(); assert false; }
