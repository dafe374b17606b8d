// verdict: errors
// VERIFIED by civl (--strict, nothing on faith), but WRONG: proves false. {:ignore} leaves P out of the program (hir/src/library.rs:133
// program_decls), so its body is never asked and it is not listed as trusted, but its NAME still resolves (hir/src/scope.rs:110 keeps
// ignored entries), so Q uses its contract. Reference (Boogie HEAD): crashes (KeyNotFoundException), no verdict.
procedure {:ignore} P() ensures false; { }
procedure Q() { call P(); assert false; }
