// There may be nothing to choose from.
// verdict: not-verified

var {:layer 0,1} s: [int]bool;

left action {:layer 1} CHOOSE() returns (i: int) { assume s[i]; }
