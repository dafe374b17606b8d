// verdict: errors
// A CR alone ends the `#line`: the axiom before the CR is skipped, the procedure behind it is not.
#line 7 axiom false;procedure P() { assert false; }
